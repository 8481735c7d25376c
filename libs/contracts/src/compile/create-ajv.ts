import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

// The default export is the property `default` of the imported object, because the package is CommonJS.
const addFormats = ajvFormats.default;

/**
 * Creates a validator with the settings that all schemas of the service have in common: JSON Schema 2020-12, strict,
 * with formats. The options are added to these settings, for example to coerce types.
 */
export function createAjv(options: Options = {}): Ajv2020 {
  return addFormats(new Ajv2020({ strict: true, allowUnionTypes: true, ...options }));
}
