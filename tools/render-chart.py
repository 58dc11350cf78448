"""Renders the Helm chart of a folder with Helm's own engine, and validates its objects against the schemas of Kubernetes.

Standard input is JSON: {"chart": folder, "name": release, "namespace": text, "values": object, "versions": ["1.25", ...]}. Standard output is
JSON: {"files": {path: text}, "problems": [text]}, or {"refusal": text} when Helm refuses the values.
"""

import json
import sys

import helm_python as helm
import kubernetes_validate
import yaml

wanted = json.load(sys.stdin)
chart_folder, values = wanted["chart"], wanted["values"]
try:
    with helm.Chart.load(chart_folder) as chart:
        chart.validate_schema(values)
        files = chart.render(values, name=wanted["name"], namespace=wanted["namespace"])
except helm.HelmError as error:
    print(json.dumps({"refusal": str(error)}))
    sys.exit()

problems = [str(error) for error in helm.lint(chart_folder, values, strict=True)["errors"]]
for path, text in files.items():
    for item in yaml.safe_load_all(text) if path.endswith(".yaml") else []:
        if item is None:
            continue
        for version in wanted["versions"]:
            try:
                kubernetes_validate.validate(item, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                problems.append(f"{path}, Kubernetes {version}: {error.message}")
print(json.dumps({"files": files, "problems": problems}))
