import type { NoticeChannelPage } from '../api/answers.ts';
import { pagesOf } from './pages-of.ts';
import { accountKey } from './query-client.ts';

export const CHANNELS_PATH = '/api/v1/notice-channels';

export const channelPath = (channelId: string): string => `${CHANNELS_PATH}/${encodeURIComponent(channelId)}`;

export const channelsKey = (): readonly unknown[] => accountKey('notice-channels');

export const channelsQuery = pagesOf<NoticeChannelPage>(channelsKey, CHANNELS_PATH);
