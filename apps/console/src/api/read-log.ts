import type { LogPage } from './answers.ts';
import { request } from './request.ts';

const PAGE = 200;

/** Reads the whole current log of a run, page by page. @throws ApiError */
export async function readLog(path: string): Promise<string> {
  const texts: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await request<LogPage>('GET', path, { query: { limit: PAGE, cursor } });
    texts.push(...page.items.map(({ text }) => `${text}\n`));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return texts.join('');
}
