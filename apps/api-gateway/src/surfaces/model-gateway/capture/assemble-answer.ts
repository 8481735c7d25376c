import type { CallPath } from '@steward/model-calls';
import { assembleChat } from './assemble-chat.ts';
import { assembleMessage } from './assemble-message.ts';
import { assembleResponse } from './assemble-response.ts';
import type { Assembly } from './assembly.ts';
import type { TextBudget } from './collect-text.ts';

/**
 * Functions that create the assembly, by path. Responses that contain no conversation use the assembly of chats, which
 * finds no searchable text in them.
 */
const ASSEMBLIES: Readonly<Record<CallPath, (budget: TextBudget) => Assembly>> = {
  '/chat/completions': assembleChat,
  '/responses': assembleResponse,
  '/responses/compact': assembleChat,
  '/responses/input_tokens': assembleChat,
  '/embeddings': assembleChat,
  '/messages': assembleMessage,
  '/messages/count_tokens': assembleChat,
};

export function createAssembly(path: CallPath, budget: TextBudget): Assembly {
  return ASSEMBLIES[path](budget);
}
