"""The schemas in docs/, for the tests that hold documents against them."""
import json

try:
    import jsonschema
except ImportError:
    jsonschema = None
from histolab_program import SOURCE, skip

if jsonschema is None:
    skip("the Python module jsonschema is not installed (apt-get install python3-jsonschema)")


def schema_of(name):
    return json.loads((SOURCE / "docs" / f"{name}.schema.json").read_text())


def validator_of(name):
    """A schema may refer to another one by the name of its file."""
    schema = schema_of(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    base = (SOURCE / "docs" / f"{name}.schema.json").as_uri()
    return jsonschema.Draft202012Validator(schema, resolver=jsonschema.RefResolver(base, schema))


def problems(validator, document):
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
