import { Cluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import { ExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1/TriggerAuthentication';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { listUnreadFields, watchReads } from './watch-reads.ts';
import type { Manifest } from './manifest.ts';

interface Model {
  validate(): void;
}

/** Schemas of the Kubernetes API and of custom resources, compiled from their definitions. */
const MODELS: Readonly<Record<string, { readonly prototype: Model }>> = {
  'apps/v1 Deployment': Deployment,
  'apps/v1 StatefulSet': StatefulSet,
  'autoscaling/v2 HorizontalPodAutoscaler': HorizontalPodAutoscaler,
  'batch/v1 Job': Job,
  'external-secrets.io/v1 ExternalSecret': ExternalSecret,
  'gateway.networking.k8s.io/v1 HTTPRoute': HTTPRoute,
  'keda.sh/v1alpha1 ScaledObject': ScaledObject,
  'keda.sh/v1alpha1 TriggerAuthentication': TriggerAuthentication,
  'monitoring.coreos.com/v1 PodMonitor': PodMonitor,
  'monitoring.coreos.com/v1 PrometheusRule': PrometheusRule,
  'networking.k8s.io/v1 Ingress': Ingress,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'postgresql.cnpg.io/v1 Cluster': Cluster,
  'v1 PersistentVolumeClaim': PersistentVolumeClaim,
  'v1 Secret': Secret,
  'v1 Service': Service,
  'v1 ServiceAccount': ServiceAccount,
};

/**
 * Returns what is wrong with an object: fields of a wrong type or missing, and fields that its schema does not know. A
 * server drops the latter without a word unless it is asked to be strict, and the schemas allow them; so they are found
 * as those that the validation never read.
 */
export function validateManifest(manifest: Manifest): string[] {
  const model = MODELS[`${manifest.apiVersion} ${manifest.kind}`];
  if (model === undefined) return [`${manifest.apiVersion} ${manifest.kind} has no schema here`];
  const watched = watchReads(manifest);
  try {
    model.prototype.validate.call(watched.value);
  } catch (error) {
    return [(error as Error).message];
  }
  return listUnreadFields(watched).map((path) => `${path} is no field of ${manifest.kind}`);
}
