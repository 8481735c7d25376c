/** Kind of object of the Kubernetes API, with the schema that checks it. */
export interface Model {
  readonly prototype: {
    /**
     * Checks the object that is `this`.
     * @throws Error with its first problem
     */
    validate(): void;
  };
}

const KUBERNETES = 'kubernetes-models';

/**
 * Packages with the schemas, by the versions that every supported cluster and operator serves; the packages also
 * contain older versions.
 */
const PACKAGES: Readonly<Record<string, string>> = {
  'apps/v1': KUBERNETES,
  'autoscaling/v2': KUBERNETES,
  'batch/v1': KUBERNETES,
  'networking.k8s.io/v1': KUBERNETES,
  'policy/v1': KUBERNETES,
  'rbac.authorization.k8s.io/v1': KUBERNETES,
  v1: KUBERNETES,
  'external-secrets.io/v1': '@kubernetes-models/external-secrets',
  'gateway.networking.k8s.io/v1': '@kubernetes-models/gateway-api',
  'keda.sh/v1alpha1': '@kubernetes-models/keda',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator',
  'postgresql.cnpg.io/v1': '@kubernetes-models/cloudnative-pg',
};

/** Loads the compiled schema of a kind; undefined if there is none. */
export async function loadModel(apiVersion: string, kind: string): Promise<Model | undefined> {
  const name = PACKAGES[apiVersion];
  if (name === undefined) return undefined;
  try {
    return ((await import(`${name}/${apiVersion}/${kind}`)) as Readonly<Record<string, Model>>)[kind];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined;
    throw error;
  }
}
