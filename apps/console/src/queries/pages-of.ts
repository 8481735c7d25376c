import { queryOptions, type QueryKey } from '@tanstack/react-query';
import { read } from '../api/request.ts';

/** Creates the query of a list without filters, which takes the cursor of the page. */
export const pagesOf =
  <Page>(key: () => QueryKey, path: string) =>
  (cursor: string | undefined) =>
    queryOptions({ queryKey: [...key(), 'list', cursor], queryFn: read<Page>(path, { cursor }) });
