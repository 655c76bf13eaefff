"""The schemas in docs/, for tests that validate documents.

`x-added` in a schema lists keys that were added later: new documents have them, older ones lack
them (docs/versions.md).
"""
import functools
import json

try:
    import jsonschema
except ImportError:
    jsonschema = None
from histolab_program import SOURCE, skip

if jsonschema is None:
    skip("the Python module jsonschema is not installed (apt-get install python3-jsonschema)")


def with_what_was_added(schema):
    """The schema for this version's output: added keys are required too, and others unknown."""
    if isinstance(schema, list):
        return [with_what_was_added(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {key: with_what_was_added(each) for key, each in schema.items()}
    if schema.get("type") == "object" and "properties" in schema and "$ref" not in schema:
        changed.setdefault("additionalProperties", False)
    if "x-added" in schema:
        changed["required"] = [*schema.get("required", []), *schema["x-added"]]
    return changed


SEEN = set()  # (id of a schema's "properties", key) of each key that a document had


def note_keys(validator, properties, instance, schema):
    if validator.is_type(instance, "object"):
        SEEN.update((id(properties), key) for key in properties if key in instance)
    yield from jsonschema.Draft202012Validator.VALIDATORS["properties"](
        validator, properties, instance, schema)


Validator = jsonschema.validators.extend(jsonschema.Draft202012Validator,
                                         {"properties": note_keys})


@functools.cache
def validator_of(name, written_now=False):
    """A schema may refer to another one by its file name."""
    all_of_them = {path.as_uri(): json.loads(path.read_text())
                   for path in (SOURCE / "docs").glob("*.schema.json")}
    if written_now:
        all_of_them = with_what_was_added(all_of_them)
    base = (SOURCE / "docs" / f"{name}.schema.json").as_uri()
    jsonschema.Draft202012Validator.check_schema(all_of_them[base])
    return Validator(all_of_them[base],
                     resolver=jsonschema.RefResolver(base, all_of_them[base], store=all_of_them))


def unseen(schema, at=""):
    """The schema's properties that no document has had, except the forbidden ones."""
    if isinstance(schema, list):
        schema = dict(enumerate(schema))
    if not isinstance(schema, dict):
        return
    for key, each in schema.get("properties", {}).items():
        if each is not False and (id(schema["properties"]), key) not in SEEN:
            yield f"{at}/properties/{key}"
    for key, each in schema.items():
        yield from unseen(each, f"{at}/{key}")


def check_all_seen(check, name, but=(), written_now=True):
    """A key of the schema that is in no document of the test may be one that the code does not
    know. `but` has the beginnings of the other ones."""
    left = list(unseen(validator_of(name, written_now=written_now).schema))
    unknown = [place for place in left if not place.startswith(tuple(but))]
    check(not unknown, f"docs/{name}.schema.json has keys that no document has", *unknown)
    for each in but:
        check(any(place.startswith(each) for place in left), f"{name}: a document has {each}")


def problems(validator, document):
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
