import type { ModelPage } from '../api/answers.ts';
import { pagesOf } from './pages-of.ts';
import { accountKey } from './query-client.ts';

export const MODELS_PATH = '/api/v1/ai-models';

export const modelsKey = (): readonly unknown[] => accountKey('ai-models');

export const modelsQuery = pagesOf<ModelPage>(modelsKey, MODELS_PATH);
