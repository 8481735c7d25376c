import { buildStrictSchema, EVENT_TYPES, type EventType } from '@steward/contracts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

// The package is CommonJS: its default export arrives as a property.
const addFormats = ajvFormats.default;

let ajv: Ajv2020 | undefined;
const compiled = new Map<EventType, ValidateFunction>();

/**
 * Refuses data that does not fit its published schema, unknown keys included: what receivers build on cannot drift
 * unnoticed. About 2 us per event once compiled, so it runs in production too.
 *
 * @throws Error naming the place, never the value: a producer's bug, not an outcome.
 */
export function validateEventData(type: EventType, data: object): void {
  const validate = compiled.get(type) ?? compile(type);
  if (validate(data)) return;
  const problem = validate.errors?.[0];
  throw new Error(`event ${type}: data${problem?.instancePath ?? ''} ${problem?.message ?? 'does not fit its schema'}`);
}

function compile(type: EventType): ValidateFunction {
  ajv ??= addFormats(new Ajv2020({ strict: true, allowUnionTypes: true }));
  // The published schema is open, because receivers must accept keys added later; the producer's own side is not.
  const validate = ajv.compile(buildStrictSchema(EVENT_TYPES[type].schema));
  compiled.set(type, validate);
  return validate;
}
