{{/* The release's name, with the chart's where it is not in it; every object begins with it. */}}
{{- define "steward.name" -}}
{{- if contains "steward" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-steward" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* What selects the pods of all apps. */}}
{{- define "steward.selector" -}}
app.kubernetes.io/name: steward
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Labels of an object; called with (dict "root" $ "app" NAME). */}}
{{- define "steward.labels" -}}
{{ include "steward.selector" .root }}
app.kubernetes.io/component: {{ .app }}
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: steward
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "steward.image" -}}
{{- $image := .root.Values.image -}}
{{- if $image.registry }}{{ $image.registry }}/{{ end }}{{ $image.repository }}/{{ .image }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* The Secret of a login (an app, or migrate). */}}
{{- define "steward.secretName" -}}
{{- index .root.Values.secrets.existing .login | default (printf "%s-%s" (include "steward.name" .root) .login) }}
{{- end }}

{{/*
What the chart knows of each app. image: the image and the login it has. secrets: a setting, and the key of the Secret
whose file it names. flows: it runs programs of agents; runs: those of executions. stream, consumer: what it consumes. backlog: its work in the
database, for KEDA.
*/}}
{{- define "steward.facts" -}}
api-gateway:
  image: api-gateway
  secrets: { SECRET_KEY: secret-key }
  previous: { SECRET_KEY_PREVIOUS: secret-key-previous }
  evidence: true
  outside: true
search-indexer:
  image: search-indexer
  secrets: { EMBEDDING_SECRET_KEY: embedding-secret-key }
  previous: { EMBEDDING_SECRET_KEY_PREVIOUS: embedding-secret-key-previous }
  outside: true
  stream: STEWARD_SEARCH
  consumer: indexer_chunk-written-v1
  backlog: select count(*) from search.embedding_work where due_at <= now()
webhook-dispatcher:
  image: webhook-dispatcher
  secrets: { ENDPOINT_SECRET_KEY: endpoint-secret-key }
  previous: { ENDPOINT_SECRET_KEY_PREVIOUS: endpoint-secret-key-previous }
  outside: true
  stream: STEWARD_WEBHOOKS
  consumer: dispatcher_event-emitted-v1
  backlog: >-
    select count(*) from (select 1 from webhooks.delivery where waits_for is null and next_attempt_at <= now()
    limit 100000) due
flow-trigger:
  image: flow-trigger
  secrets: { FLOW_SECRET_KEY: flow-secret-key }
  previous: { FLOW_SECRET_KEY_PREVIOUS: flow-secret-key-previous }
  evidence: true
  outside: true
  flows: true
  runs: true
  stream: STEWARD_FLOWS
  consumer: flows_trigger-accepted-v1
  backlog: select waiting + running from flows.backlog()
backfill-sweeper:
  image: backfill-sweeper
scheduler:
  image: flow-trigger
tool-servers:
  image: flow-trigger
  secrets: { FLOW_SECRET_KEY: flow-secret-key }
  previous: { FLOW_SECRET_KEY_PREVIOUS: flow-secret-key-previous }
  evidence: true
  outside: true
  flows: true
{{- end }}

{{- define "steward.publicUrl" -}}
{{- $v := .Values -}}
{{- if $v.publicUrl }}{{ $v.publicUrl }}
{{- else if and $v.ingress.enabled $v.ingress.host }}http{{ if $v.ingress.tlsSecretName }}s{{ end }}://{{ $v.ingress.host }}
{{- else if and $v.gateway.enabled $v.gateway.hostnames }}https://{{ first $v.gateway.hostnames }}
{{- end }}
{{- end }}

{{/* True (as text) where the apps reach Postgres through a pooler: of CloudNativePG, or one that is there. */}}
{{- define "steward.hasPooler" -}}
{{- if or .Values.secrets.directUrl (and .Values.postgres.cloudNativePg.enabled .Values.postgres.cloudNativePg.pooler.enabled) }}true{{ end }}
{{- end }}

{{/* Name of the pooler that CloudNativePG runs; empty where it runs none. */}}
{{- define "steward.ownPooler" -}}
{{- if and .Values.postgres.cloudNativePg.enabled .Values.postgres.cloudNativePg.pooler.enabled }}{{ include "steward.name" . }}-postgres-pooler{{ end }}
{{- end }}

{{/* Pods of the database in CloudNativePG, the primary and its standbys, as peers of a policy. */}}
{{- define "steward.clusterPeers" -}}
- podSelector:
    matchLabels:
      cnpg.io/cluster: {{ include "steward.name" . }}-postgres
{{- end }}

{{/* Migrations come before the apps where all they need is there already, else after it is there. */}}
{{- define "steward.migrateHook" -}}
{{- if or .Values.postgres.cloudNativePg.enabled .Values.secrets.external.enabled }}post-install{{ else }}pre-install{{ end }},pre-upgrade
{{- end }}

{{/* Where names are resolved, the database, the broker. */}}
{{- define "steward.serversEgress" -}}
{{- $net := .Values.networkPolicy -}}
{{- $database := $net.postgres -}}
{{- if and (not $database) .Values.postgres.cloudNativePg.enabled -}}
{{- $database = include "steward.clusterPeers" . | fromYamlArray -}}
{{- end -}}
{{- $ownPooler := include "steward.ownPooler" . -}}
{{- $pooler := $net.pooler -}}
{{- if and (not $pooler) $ownPooler -}}
{{- $pooler = list (dict "podSelector" (dict "matchLabels" (dict "cnpg.io/poolerName" $ownPooler))) -}}
{{- end -}}
- to:
    {{- toYaml $net.dns | nindent 4 }}
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
- {{- with $database }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  ports:
    - { protocol: TCP, port: {{ $net.postgresPort }} }
{{- if include "steward.hasPooler" . }}
- {{- with $pooler }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  ports:
    - { protocol: TCP, port: {{ if $ownPooler }}5432{{ else }}{{ $net.poolerPort }}{{ end }} }
{{- end }}
- {{- with $net.nats }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  ports:
    - { protocol: TCP, port: {{ $net.natsPort }} }
{{- end }}

{{/* Files of the authorities of values, as sources of a projected volume. */}}
{{- define "steward.authorities" -}}
{{- range $server, $authority := .Values.authorities }}
{{- if $authority.secret }}
- secret: { name: {{ $authority.secret }}, items: [{ key: {{ $authority.key | quote }}, path: {{ $server }}.pem }] }
{{- else if $authority.configMap }}
- configMap: { name: {{ $authority.configMap }}, items: [{ key: {{ $authority.key | quote }}, path: {{ $server }}.pem }] }
{{- end }}
{{- end }}
{{- end }}

{{/* Settings that name those files. */}}
{{- define "steward.authoritySettings" -}}
{{- range $server, $authority := .Values.authorities }}
{{- if or $authority.secret $authority.configMap }}
{{ upper $server }}_CA_FILE: /etc/steward/authorities/{{ $server }}.pem
{{- end }}
{{- end }}
{{- end }}

{{/* Settings of the job that migrates. Its login is the owner's: it goes to Postgres itself, also with a pooler. */}}
{{- define "steward.migrateSettings" -}}
DATABASE_URL_FILE: /run/secrets/steward/database-url
DATABASE_ROLE_PASSWORDS_FILE: /run/secrets/steward/role-passwords
DATABASE_WAIT_SECONDS: {{ .Values.migrate.databaseWaitSeconds | toString | quote }}
NATS_URL_FILE: /run/secrets/steward/nats-url
{{- include "steward.authoritySettings" . }}
{{- if .Values.nats.streamReplicas }}
NATS_STREAM_REPLICAS: {{ .Values.nats.streamReplicas | toString | quote }}
{{- end }}
{{- end }}

{{/* True (as text) for apps that run agents in pods of their own. */}}
{{- define "steward.runsPods" -}}
{{- if and .facts.runs (eq .root.Values.flows.runner "kubernetes") }}true{{ end }}
{{- end }}

{{/* True (as text) for apps that run programs of agents as users of their own in their pod. */}}
{{- define "steward.hasUsers" -}}
{{- if and .facts.flows (eq .root.Values.flows.separation "users") (not (include "steward.runsPods" .)) }}true{{ end }}
{{- end }}

{{- define "steward.hasNamespaces" -}}
{{- if and .facts.flows (eq .root.Values.flows.separation "namespaces") (not (include "steward.runsPods" .)) }}true{{ end }}
{{- end }}
