import { AppError } from '@steward/contracts';
import { readToolName, type ReadToolName } from '@steward/policies';

/**
 * Returns the tool that a request names; the spellings of all clients are accepted (POL-23).
 * @throws invalid_request for a name that is blank, or contains control or invisible characters
 */
export function readSentTool(body: { readonly tool_name: string; readonly server?: string | undefined }): ReadToolName {
  const { tool_name: name, server } = body;
  requireReadable('tool_name', name);
  if (server !== undefined) requireReadable('server', server);
  return readToolName({ name, server });
}

function requireReadable(field: string, text: string): void {
  const trimmed = text.trim();
  if (trimmed !== '' && !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(trimmed)) return;
  const problem = trimmed === '' ? 'is blank' : 'contains control characters or invisible characters';
  throw new AppError('invalid_request', { message: `"${field}" ${problem}.`, detail: { field } });
}
