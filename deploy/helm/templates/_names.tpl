{{/* Name of the release's objects: the release's name, with "vedette" unless it has it. At most 50 characters, for suffixes. */}}
{{- define "vedette.name" -}}
{{- $name := contains "vedette" .Release.Name | ternary .Release.Name (printf "%s-vedette" .Release.Name) }}
{{- $name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{/* Labels by which selectors find the pods of a part: call it with (dict "root" $ "part" "hub"). */}}
{{- define "vedette.selector" -}}
app.kubernetes.io/name: vedette
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{/* All labels of a part. */}}
{{- define "vedette.labels" -}}
{{ include "vedette.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}
