import type { CallPath } from '@steward/model-calls';
import { assembleChat } from './assemble-chat.ts';
import { assembleMessage } from './assemble-message.ts';
import { assembleResponse } from './assemble-response.ts';
import type { Assembly } from './assembly.ts';
import type { TextBudget } from './collect-text.ts';

export function createAssembly(path: CallPath, budget: TextBudget): Assembly {
  if (path === '/messages') return assembleMessage(budget);
  return path === '/responses' ? assembleResponse(budget) : assembleChat(budget);
}
