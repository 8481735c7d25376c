import { parseAllDocuments } from 'yaml';

/** Object of the Kubernetes API, as read from a file. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/**
 * Reads a file that contains several documents; documents that contain only comments are omitted.
 * @throws Error for an invalid line
 */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text, { uniqueKeys: true }).flatMap((document) => {
    if ('errors' in document && document.errors.length > 0) throw document.errors[0];
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [manifest];
  });
}

/** Returns the name of an object for messages: `Deployment/steward-api-gateway`. */
export function nameManifest({ kind, metadata }: Manifest): string {
  return `${kind}/${metadata.name}`;
}

export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly secret?: { readonly secretName: string };
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly [other: string]: unknown;
}

export interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: PodSpec;
}

/** Returns the pod template of a Deployment or Job; undefined for other kinds. */
export function readPodTemplate({ kind, spec }: Manifest): PodTemplate | undefined {
  return kind === 'Deployment' || kind === 'Job' ? (spec?.template as PodTemplate) : undefined;
}
