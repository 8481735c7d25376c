import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { SampleTrace } from '@steward/crypto';
import type { TelemetrySettings } from '../plan-export.ts';

const UNKNOWN_SPAN = 'ffffffffffffffff';

/**
 * Returns the configured sampler. It is called once per trace and process, because the sampled flag of the trace
 * context propagates its decision.
 */
export function createSampling({ otelSampler, otelSamplerRatio }: TelemetrySettings): SampleTrace {
  const root = createRoot(otelSampler.replace('parentbased_', ''), otelSamplerRatio);
  const sampler = otelSampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
  return (traceId, isParentSampled) => {
    const traceFlags = isParentSampled === true ? TraceFlags.SAMPLED : TraceFlags.NONE;
    const context =
      isParentSampled === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: UNKNOWN_SPAN, traceFlags, isRemote: true });
    const { decision } = sampler.shouldSample(context, traceId, '', SpanKind.INTERNAL, {}, []);
    return decision === SamplingDecision.RECORD_AND_SAMPLED;
  };
}

function createRoot(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
