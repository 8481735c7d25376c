import { request } from './request.ts';

/** Creates an item of a list, or changes the given one. */
export function saveItem<Item>(
  listPath: string,
  item: { readonly id: string } | undefined,
  body: object,
): Promise<Item> {
  return item === undefined
    ? request<Item>('POST', listPath, { body })
    : request<Item>('PATCH', `${listPath}/${encodeURIComponent(item.id)}`, { body });
}
