import { queryOptions, type QueryKey } from '@tanstack/react-query';
import { read } from '../api/request.ts';

/** Creates a function that takes the cursor of a page and returns the query of this page of a list without filters. */
export const pagesOf =
  <Page>(key: () => QueryKey, path: string) =>
  (cursor: string | undefined) =>
    queryOptions({ queryKey: [...key(), 'list', cursor], queryFn: read<Page>(path, { cursor }) });
