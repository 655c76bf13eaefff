"""The schemas in docs/, for tests that validate documents.

`x-added` in a schema lists keys that were added later: new documents have them, older ones lack
them (docs/versions.md).
"""
import json

try:
    import jsonschema
except ImportError:
    jsonschema = None
from histolab_program import SOURCE, skip

if jsonschema is None:
    skip("the Python module jsonschema is not installed (apt-get install python3-jsonschema)")


def with_what_was_added(schema):
    """The schema for this version's output: added keys are required too."""
    if isinstance(schema, list):
        return [with_what_was_added(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {key: with_what_was_added(each) for key, each in schema.items()}
    if "x-added" in schema:
        changed["required"] = [*schema.get("required", []), *schema["x-added"]]
    return changed


def validator_of(name, written_now=False):
    """A schema may refer to another one by its file name."""
    all_of_them = {path.as_uri(): json.loads(path.read_text())
                   for path in (SOURCE / "docs").glob("*.schema.json")}
    if written_now:
        all_of_them = with_what_was_added(all_of_them)
    base = (SOURCE / "docs" / f"{name}.schema.json").as_uri()
    jsonschema.Draft202012Validator.check_schema(all_of_them[base])
    resolver = jsonschema.RefResolver(base, all_of_them[base], store=all_of_them)
    return jsonschema.Draft202012Validator(all_of_them[base],
                                           resolver=resolver)


def problems(validator, document):
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
