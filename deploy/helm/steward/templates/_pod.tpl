{{/* Settings that the chart decides, as a map of variables; called with (dict "root" $ "app" NAME "facts" FACTS). */}}
{{- define "steward.settings" -}}
{{- $v := .root.Values -}}
{{- $name := include "steward.name" .root -}}
HEALTH_PORT: '8080'
DATABASE_URL_FILE: /run/secrets/steward/database-url
NATS_URL_FILE: /run/secrets/steward/nats-url
{{- include "steward.authoritySettings" .root }}
{{- if include "steward.hasPooler" .root }}
DATABASE_DIRECT_URL_FILE: /run/secrets/steward/database-direct-url
{{- end }}
{{- if and (include "steward.ownPooler" .root) (ne (index $v.postgres.cloudNativePg.pooler.parameters "max_prepared_statements" | default "0") "0") }}
DATABASE_NAMED_STATEMENTS: 'true'
{{- end }}
{{- if $v.nats.streamReplicas }}
NATS_STREAM_REPLICAS: {{ $v.nats.streamReplicas | toString | quote }}
{{- end }}
{{- range $variable, $key := .facts.secrets }}
{{ $variable }}_FILE: /run/secrets/steward/{{ $key }}
{{- end }}
{{- if $v.secrets.previousKeys }}
{{- range $variable, $key := .facts.previous }}
{{ $variable }}_FILE: /run/secrets/steward/{{ $key }}
{{- end }}
{{- end }}
{{- if .facts.evidence }}
{{- if eq $v.evidence.store "s3" }}
EVIDENCE_STORE: s3
EVIDENCE_S3_ENDPOINT: {{ required "evidence.s3.endpoint is needed with evidence.store s3" $v.evidence.s3.endpoint | quote }}
EVIDENCE_S3_BUCKET: {{ required "evidence.s3.bucket is needed with evidence.store s3" $v.evidence.s3.bucket | quote }}
EVIDENCE_S3_REGION: {{ $v.evidence.s3.region | quote }}
EVIDENCE_S3_PREFIX: {{ $v.evidence.s3.prefix | quote }}
EVIDENCE_S3_PATH_STYLE: {{ $v.evidence.s3.pathStyle | toString | quote }}
EVIDENCE_S3_ACCESS_KEY_ID_FILE: /run/secrets/steward/evidence-s3-access-key-id
EVIDENCE_S3_SECRET_ACCESS_KEY_FILE: /run/secrets/steward/evidence-s3-secret-access-key
{{- else }}
EVIDENCE_DIR: /evidence
{{- end }}
{{- end }}
{{- if and $v.sessionContent.enabled (has .app (list "api-gateway" "backfill-sweeper")) }}
{{- with $v.sessionContent.s3 }}
SESSION_CONTENT_S3_ENDPOINT: {{ required "sessionContent.s3.endpoint is needed with sessionContent.enabled" .endpoint | quote }}
SESSION_CONTENT_S3_BUCKET: {{ required "sessionContent.s3.bucket is needed with sessionContent.enabled" .bucket | quote }}
SESSION_CONTENT_S3_REGION: {{ .region | quote }}
SESSION_CONTENT_S3_PREFIX: {{ .prefix | quote }}
SESSION_CONTENT_S3_PATH_STYLE: {{ .pathStyle | toString | quote }}
SESSION_CONTENT_S3_ACCESS_KEY_ID_FILE: /run/secrets/steward/session-content-s3-access-key-id
SESSION_CONTENT_S3_SECRET_ACCESS_KEY_FILE: /run/secrets/steward/session-content-s3-secret-access-key
{{- end }}
{{- end }}
{{- if eq .app "api-gateway" }}
SHUTDOWN_DRAIN_SECONDS: '5'
GATEWAY_PROCESSES: {{ (index $v.apps "api-gateway").processes | toString | quote }}
WEBHOOK_BLOCK_PRIVATE_TARGETS: {{ $v.webhooks.blockPrivateTargets | toString | quote }}
SESSION_SEARCH_BACKFILL_ENABLED: {{ $v.backfill.enabled | toString | quote }}
{{- with $v.auditExport }}
{{- if .enabled }}
AUDIT_EXPORT_S3_ENDPOINT: {{ required "auditExport.s3.endpoint is needed with auditExport.enabled" .s3.endpoint | quote }}
AUDIT_EXPORT_S3_BUCKET: {{ required "auditExport.s3.bucket is needed with auditExport.enabled" .s3.bucket | quote }}
AUDIT_EXPORT_S3_REGION: {{ .s3.region | quote }}
AUDIT_EXPORT_S3_PREFIX: {{ .s3.prefix | quote }}
AUDIT_EXPORT_S3_PATH_STYLE: {{ .s3.pathStyle | toString | quote }}
AUDIT_EXPORT_S3_ACCESS_KEY_ID_FILE: /run/secrets/steward/audit-export-s3-access-key-id
AUDIT_EXPORT_S3_SECRET_ACCESS_KEY_FILE: /run/secrets/steward/audit-export-s3-secret-access-key
{{- end }}
{{- end }}
{{- if $v.secrets.readUrl }}
DATABASE_READ_URL_FILE: /run/secrets/steward/database-read-url
{{- end }}
{{- with include "steward.publicUrl" .root }}
PUBLIC_URL: {{ . | quote }}
{{- end }}
{{- if (index $v.apps "tool-servers").enabled }}
TOOL_SERVER_HOST_URL: http://{{ $name }}-tool-servers:8090
{{- end }}
{{- else if eq .app "webhook-dispatcher" }}
WEBHOOK_BLOCK_PRIVATE_TARGETS: {{ $v.webhooks.blockPrivateTargets | toString | quote }}
{{- with include "steward.publicUrl" .root }}
PUBLIC_URL: {{ . | quote }}
{{- end }}
{{- if $v.secrets.smtpUrl }}
SMTP_URL_FILE: /run/secrets/steward/smtp-url
{{- end }}
{{- else if eq .app "backfill-sweeper" }}
SESSION_SEARCH_BACKFILL_ENABLED: {{ $v.backfill.enabled | toString | quote }}
{{- if $v.sessionContent.enabled }}
SESSION_CONTENT_OBJECT_BYTES: {{ $v.sessionContent.objectBytes | int64 | toString | quote }}
CONTENT_SECRET_KEY_FILE: /run/secrets/steward/content-secret-key
{{- if $v.secrets.previousKeys }}
CONTENT_SECRET_KEY_PREVIOUS_FILE: /run/secrets/steward/content-secret-key-previous
{{- end }}
{{- end }}
{{- else if eq .app "scheduler" }}
SERVICE_ROLE: scheduler
{{- end }}
{{- if .facts.flows }}
FLOW_WORK_DIR: /data
FLOW_AGENT_API_URL: http://{{ $name }}-api-gateway:8000
SERVICE_ROLE: {{ if or (eq .app "tool-servers") (index $v.apps "scheduler").enabled }}worker{{ else }}all{{ end }}
{{- if include "steward.hasUsers" . }}
FLOW_AGENT_UID_RANGE: {{ if eq .app "tool-servers" }}2000256-2000511{{ else }}2000000-2000255{{ end }}
{{- end }}
{{- if include "steward.runsPods" . }}
{{- $runs := $v.flows.kubernetes }}
FLOW_RUNNER: kubernetes
FLOW_KUBERNETES_CLAIM: {{ $runs.claim.existing | default (printf "%s-runs" $name) }}
FLOW_KUBERNETES_IMAGE: {{ $runs.image | quote }}
FLOW_KUBERNETES_MEMORY: {{ $runs.memory | quote }}
FLOW_KUBERNETES_CPUS: {{ $runs.cpus | toString | quote }}
FLOW_KUBERNETES_POD: {{ $runs.pod | toJson | quote }}
FLOW_KUBERNETES_SERVICE_ACCOUNT: {{ $name }}-run
{{- end }}
{{- end }}
{{- if eq .app "tool-servers" }}
TOOL_SERVER_HOST_PORT: '8090'
TOOL_SERVER_HOST_ADDRESS: 0.0.0.0
{{- end }}
{{- end }}

{{/* Pod security: restricted, but for workers that give each run of an agent a user of its own. */}}
{{- define "steward.podSecurity" -}}
{{- if include "steward.hasUsers" . -}}
runAsUser: 0
runAsGroup: 1000
{{- else -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
{{- end }}
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
{{- if and .facts.flows (not (include "steward.runsPods" .)) }}
  {{- toYaml .root.Values.flows.seccompProfile | nindent 2 }}
{{- else }}
  type: RuntimeDefault
{{- end }}
{{- end }}

{{- define "steward.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
{{- if include "steward.hasNamespaces" . }}
{{- if ne .root.Values.flows.seccompProfile.type "Localhost" }}
{{- fail "flows.separation namespaces needs a flows.seccompProfile of yours that allows namespaces (docs/operate/kubernetes.md)" }}
{{- end }}
procMount: Unmasked
{{- end }}
capabilities:
  drop: [ALL]
{{- if include "steward.hasUsers" . }}
  add: [CHOWN, DAC_OVERRIDE, FOWNER, KILL, SETGID, SETPCAP, SETUID]
{{- end }}
{{- end }}

{{/* The template of the pods of an app; called with (dict "root" $ "app" NAME "values" VALUES "facts" FACTS). */}}
{{- define "steward.pod" -}}
{{- $v := .root.Values -}}
{{- $settings := mergeOverwrite (include "steward.settings" . | fromYaml) (deepCopy $v.settings) (deepCopy .values.settings) -}}
metadata:
  labels:
    {{- include "steward.labels" . | nindent 4 }}
  {{- with .values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "steward.name" .root }}-{{ .app }}
  automountServiceAccountToken: {{ if include "steward.runsPods" . }}true{{ else }}false{{ end }}
  enableServiceLinks: false
  {{- if include "steward.hasNamespaces" . }}
  hostUsers: false
  {{- end }}
  {{- with $v.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  securityContext:
    {{- include "steward.podSecurity" . | nindent 4 }}
  terminationGracePeriodSeconds: {{ .values.terminationGracePeriodSeconds }}
  {{- if include "steward.hasUsers" . }}
  # An emptyDir has no sticky bit: users of runs could remove one another's files.
  initContainers:
    - name: tmp
      image: {{ include "steward.image" (dict "root" .root "image" .facts.image) }}
      imagePullPolicy: {{ $v.image.pullPolicy }}
      command: [chmod, '1777', /tmp]
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      resources:
        requests: { cpu: 10m, memory: 16Mi }
        limits: { memory: 64Mi }
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
  {{- end }}
  containers:
    - name: {{ .app }}
      image: {{ include "steward.image" (dict "root" .root "image" .facts.image) }}
      imagePullPolicy: {{ $v.image.pullPolicy }}
      securityContext:
        {{- include "steward.containerSecurity" . | nindent 8 }}
      env:
        {{- range $variable, $value := $settings }}
        - name: {{ $variable }}
          value: {{ $value | quote }}
        {{- end }}
        {{- if include "steward.runsPods" . }}
        - name: FLOW_KUBERNETES_POD_NAME
          valueFrom: { fieldRef: { fieldPath: metadata.name } }
        - name: FLOW_KUBERNETES_POD_UID
          valueFrom: { fieldRef: { fieldPath: metadata.uid } }
        {{- end }}
      ports:
        {{- if eq .app "api-gateway" }}
        - { name: http, containerPort: 8000 }
        {{- end }}
        {{- if eq .app "tool-servers" }}
        - { name: tools, containerPort: 8090 }
        {{- end }}
        - { name: health, containerPort: 8080 }
      startupProbe:
        httpGet: { path: /livez, port: health }
        periodSeconds: 2
        timeoutSeconds: 3
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /livez, port: health }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        httpGet: { path: /readyz, port: health }
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      resources:
        {{- toYaml .values.resources | nindent 8 }}
      volumeMounts:
        - { name: secrets, mountPath: /run/secrets/steward, readOnly: true }
        - { name: tmp, mountPath: /tmp }
        {{- if include "steward.authorities" .root }}
        - { name: authorities, mountPath: /etc/steward/authorities, readOnly: true }
        {{- end }}
        {{- if .facts.flows }}
        - { name: work, mountPath: /data }
        {{- end }}
        {{- if and .facts.evidence (eq $v.evidence.store "folder") }}
        - { name: evidence, mountPath: /evidence{{ if not .facts.flows }}, readOnly: true{{ end }} }
        {{- end }}
  volumes:
    - name: secrets
      secret:
        secretName: {{ include "steward.secretName" (dict "root" .root "login" .facts.image) }}
        defaultMode: 0440
    - name: tmp
      emptyDir: { sizeLimit: 1Gi }
    {{- with include "steward.authorities" .root }}
    - name: authorities
      projected:
        sources:
          {{- . | nindent 10 }}
    {{- end }}
    {{- if .facts.flows }}
    - name: work
      {{- if include "steward.runsPods" . }}
      persistentVolumeClaim:
        claimName: {{ $v.flows.kubernetes.claim.existing | default (printf "%s-runs" (include "steward.name" .root)) }}
      {{- else }}
      emptyDir: { sizeLimit: {{ $v.flows.workSizeLimit }} }
      {{- end }}
    {{- end }}
    {{- if and .facts.evidence (eq $v.evidence.store "folder") }}
    - name: evidence
      persistentVolumeClaim:
        claimName: {{ $v.evidence.claim.existing | default (printf "%s-evidence" (include "steward.name" .root)) }}
    {{- end }}
  {{- $place := . }}
  {{- with $v.topologySpread }}
  topologySpreadConstraints:
    {{- range . }}
    - topologyKey: {{ .topologyKey }}
      maxSkew: {{ .maxSkew }}
      whenUnsatisfiable: {{ .whenUnsatisfiable }}
      labelSelector:
        matchLabels:
          {{- include "steward.selector" $place.root | nindent 10 }}
          app.kubernetes.io/component: {{ $place.app }}
    {{- end }}
  {{- end }}
  {{- with .values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
{{- end }}
