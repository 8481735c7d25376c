import type { TrackerPage } from '../api/answers.ts';
import { pagesOf } from './pages-of.ts';
import { accountKey } from './query-client.ts';

export const TRACKERS_PATH = '/api/v1/trackers';

export const trackerPath = (trackerId: string): string => `${TRACKERS_PATH}/${encodeURIComponent(trackerId)}`;

export const trackersKey = (): readonly unknown[] => accountKey('trackers');

export const trackersQuery = pagesOf<TrackerPage>(trackersKey, TRACKERS_PATH);
