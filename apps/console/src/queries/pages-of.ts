import { queryOptions, type QueryKey } from '@tanstack/react-query';
import { read } from '../api/request.ts';

/** The query of a list without filters, by the start of its page. */
export const pagesOf =
  <Page>(key: () => QueryKey, path: string) =>
  (cursor: string | undefined) =>
    queryOptions({ queryKey: [...key(), 'list', cursor], queryFn: read<Page>(path, { cursor }) });
