import { setting, type Setting } from '@steward/process';

/**
 * Fields of a pod that an operator may set: they determine where and how the pod runs. All other fields are refused,
 * because they could affect the security of the pod.
 */
const POD_FIELDS = [
  ...['affinity', 'imagePullSecrets', 'nodeSelector', 'priorityClassName', 'runtimeClassName', 'schedulerName'],
  ...['tolerations', 'topologySpreadConstraints'],
];

const { mask: _mask, ...podText } = setting.text('FLOW_KUBERNETES_POD', {
  default: '{}',
  description: `Additional fields for the pods of runs, as a JSON object, for example {"runtimeClassName":"gvisor"}: ${POD_FIELDS.join(', ')}.`,
});
const podSetting: Setting<Readonly<Record<string, unknown>>> = {
  ...podText,
  defaultValue: {},
  parse(text) {
    const fields = parseObject(text);
    const unknown = Object.keys(fields).filter((name) => !POD_FIELDS.includes(name));
    if (unknown.length > 0) throw new Error(`must not have ${unknown.join(', ')}`);
    return fields;
  },
};

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('must be JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be a JSON object');
  return value as Readonly<Record<string, unknown>>;
}

/** Settings of `FLOW_RUNNER=kubernetes`. */
export const kubernetesSettings = {
  kubernetesApiUrl: setting.text('FLOW_KUBERNETES_API_URL', {
    description:
      'Address of the API of the cluster, for example https://10.96.0.1:443. Default: the address in the environment (KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT).',
  }),
  kubernetesNamespace: setting.text('FLOW_KUBERNETES_NAMESPACE', {
    description: 'Namespace of the pods of runs with FLOW_RUNNER=kubernetes. Default: the namespace of the worker.',
  }),
  kubernetesClaim: setting.text('FLOW_KUBERNETES_CLAIM', {
    description:
      'PersistentVolumeClaim in that namespace whose volume is mounted at FLOW_WORK_DIR of all workers (ReadWriteMany); pods of runs mount the folders of their execution from it.',
  }),
  kubernetesImage: setting.text('FLOW_KUBERNETES_IMAGE', {
    default: 'node:24-bookworm',
    description:
      'Image of the pods of runs. It needs sh, sed, sleep, mkfifo and rm, git for clones, and the agent; its programs run as an ordinary user.',
  }),
  kubernetesServiceAccount: setting.text('FLOW_KUBERNETES_SERVICE_ACCOUNT', {
    default: 'default',
    description: 'Service account of the pods of runs. Its token is not mounted in the pods.',
  }),
  kubernetesMemory: {
    ...setting.text('FLOW_KUBERNETES_MEMORY', {
      default: '2Gi',
      description: 'Maximum memory of the pod of a run, as a Kubernetes quantity; all of it is reserved.',
    }),
    parse(text: string): string {
      if (!/^[1-9][0-9]*(Mi|Gi|Ti|M|G|T)$/.test(text)) throw new Error('must be a quantity such as 512Mi or 2Gi');
      return text;
    },
  },
  kubernetesCpus: setting.number('FLOW_KUBERNETES_CPUS', {
    default: 2,
    min: 0.01,
    max: 1024,
    unit: 'cores',
    description: 'Number of CPUs of the pod of a run; a quarter of it is reserved.',
  }),
  kubernetesPod: podSetting,
  kubernetesPodName: setting.text('FLOW_KUBERNETES_POD_NAME', {
    description:
      'Name of the worker’s own pod. If it and FLOW_KUBERNETES_POD_UID are set, Kubernetes removes the jobs of a worker whose pod is gone.',
  }),
  kubernetesPodUid: setting.text('FLOW_KUBERNETES_POD_UID', {
    description: 'Identifier of the worker’s own pod (metadata.uid).',
  }),
  kubernetesCredentials: setting.text('FLOW_KUBERNETES_CREDENTIALS', {
    default: '/var/run/secrets/kubernetes.io/serviceaccount',
    description: 'Folder with token, ca.crt and namespace of the service account of the worker.',
  }),
} as const;
