import type { ApiKeyPage } from '../api/answers.ts';
import { pagesOf } from './pages-of.ts';
import { accountKey } from './query-client.ts';

export const API_KEYS_PATH = '/api/v1/auth/api-keys';

export const apiKeysKey = (): readonly unknown[] => accountKey('api-keys');

export const apiKeysQuery = pagesOf<ApiKeyPage>(apiKeysKey, API_KEYS_PATH);
