{{- define "mailkin.labels" -}}
app.kubernetes.io/name: mailkin
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "mailkin.name" -}}
{{- if contains "mailkin" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-mailkin{{ end }}
{{- end }}

{{- /* The pod of a node, the same with either store. */}}
{{- define "mailkin.pod" -}}
metadata:
  labels:
    {{- include "mailkin.labels" . | nindent 4 }}
  annotations:
    # Nodes start again when settings change.
    checksum/settings: {{ toJson .Values.settings | sha256sum }}
    checksum/secret: {{ toJson .Values.secret | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  # Else services called mailkin-… become variables that look like settings.
  enableServiceLinks: false
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: {type: RuntimeDefault}
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "mailkin.labels" . | nindent 10 }}
  {{- range $key := list "nodeSelector" "tolerations" "affinity" }}
  {{- with index $.Values $key }}
  {{ $key }}:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
  containers:
    - name: mailkin
      image: {{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [serve]
      envFrom:
        - configMapRef: {name: {{ include "mailkin.name" . }}}
        - secretRef: {name: {{ .Values.secret.existing | default (include "mailkin.name" .) }}}
      ports:
        - {name: smtp, containerPort: 2525}
        - {name: http, containerPort: 8025}
        - {name: metrics, containerPort: 9025}
      startupProbe:
        httpGet: {path: /health, port: http}
        periodSeconds: 1
        failureThreshold: 60
      readinessProbe:
        httpGet: {path: /ready, port: http}
        periodSeconds: 2
        timeoutSeconds: 5
      # Only that it answers: a database that is away is no reason to restart all nodes.
      livenessProbe:
        tcpSocket: {port: http}
        periodSeconds: 10
      lifecycle:
        preStop:
          sleep: {seconds: 5} # until nobody sends it new connections
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      volumeMounts:
        - {name: data, mountPath: /var/lib/mailkin}
  {{- if eq .Values.store "shared" }}
  volumes:
    # Attachments on their way out. Nothing that is kept.
    - name: data
      emptyDir: {sizeLimit: 4Gi}
  {{- end }}
{{- end }}
