"""Signs in, lists and uploads from Python, with the models that quicktype generated from the OpenAPI document.

    python3 python_client.py DOCUMENT DIRECTORY_OF_MODELS BASE_URL EMAIL PASSWORD

Only the standard library is needed. Every request is built from the document: its method, path, parameters and body; every
response is read by the generated model, which rejects what the document doesn't describe.
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

document_path, models_directory, base_url, email, password = sys.argv[1:]
sys.path.insert(0, models_directory)
import models  # noqa: E402

with open(document_path, encoding="utf-8") as file:
    document = json.load(file)

operations = {
    operation["operationId"]: (method.upper(), path, {"parameters": [], **operation}, item)
    for path, item in document["paths"].items()
    for method, operation in item.items()
    if isinstance(operation, dict) and "operationId" in operation
}


def resolved(node):
    """Follows a reference within the document."""
    while "$ref" in node:
        target = document
        for name in node["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        node = target
    return node


def model_of(schema):
    """Returns the class that quicktype made of a named schema."""
    return getattr(models, schema["$ref"].split("/")[-1])


def call(operation_id, token=None, body=None, query=None, **path_values):
    """Calls an operation. Returns the status and the data, read by its model."""
    method, path, operation, item = operations[operation_id]
    parameters = [resolved(one) for one in item.get("parameters", []) + operation["parameters"]]
    for parameter in parameters:
        if parameter["in"] == "path":
            value = urllib.parse.quote(path_values.pop(parameter["name"]), safe="")
            path = path.replace("{" + parameter["name"] + "}", value)
    assert not path_values, f"{operation_id} has no {path_values}"
    declared = {one["name"] for one in parameters if one["in"] == "query"}
    assert set(query or {}) <= declared, f"{operation_id} takes only {declared}"
    address = base_url + path + ("?" + urllib.parse.urlencode(query) if query else "")
    headers = {"authorization": "Bearer " + token} if token else {}
    content = None
    if body is not None:
        schema = resolved(operation["requestBody"])["content"]["application/json"]["schema"]
        content = json.dumps(model_of(schema).from_dict(body).to_dict()).encode()
        headers["content-type"] = "application/json"
    request = urllib.request.Request(address, content, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            status, text = response.status, response.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    declared_response = resolved(operation["responses"][str(status)])
    schema = declared_response["content"]["application/json"]["schema"]
    parsed = json.loads(text)
    if status >= 400:
        return status, parsed
    data = resolved(schema)["properties"]["data"]
    return status, model_of(data).from_dict(parsed["data"])


def put(url, content):
    """Stores a part at its presigned URL. Returns the ETag."""
    with urllib.request.urlopen(urllib.request.Request(url, content, method="PUT")) as response:
        return response.headers["etag"]


status, signed_in = call("auth.login", body={"email": email, "password": password})
assert (status, signed_in.user.email) == (200, email), status
token = signed_in.token.access_token

status, collection = call("collections.create", token, body={"title": "From Python"})
assert (status, collection.title, collection.asset_count) == (201, "From Python", 0)

content = b"written by Python\n"
file = {"fileName": "python.txt", "contentType": "text/plain", "fileSize": len(content)}
status, upload = call("uploads.initiate", token, body={**file, "collectionId": collection.id})
assert (status, len(upload.parts)) == (201, 1), status
part = {"partNumber": upload.parts[0].part_number, "eTag": put(upload.parts[0].url, content)}
status, asset = call(
    "uploads.complete",
    token,
    body={
        "uploadId": upload.upload_id,
        "key": upload.key,
        "contentType": "text/plain",
        "parts": [part],
        "collectionId": collection.id,
    },
)
assert (status, asset.asset_name, asset.file_size) == (200, "python.txt", len(content)), status

in_collection = {"collectionId": collection.id}
status, page = call("assets.list", token, query={**in_collection, "limit": 1, "sort": "-fileSize"})
assert ([one.id for one in page.items], page.pagination.total) == ([asset.id], 1)
status, download = call("assets.download", token, id=asset.id)
with urllib.request.urlopen(download.url) as response:
    assert response.read() == content

status, removed = call("assets.remove", token, id=asset.id)
assert (status, removed.id) == (200, asset.id)
status, failure = call("assets.get", token, id=asset.id)
assert (status, failure["code"]) == (404, "not_found"), failure
