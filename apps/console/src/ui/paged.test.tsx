import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { parseSearch, stringifySearch } from '../search-text.ts';
import { PagedTable } from './paged.tsx';

// The router scrolls to the top of a page, which the document of this test environment does not support.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, scrollTo: () => undefined });

/** Renders the list at this address, and returns the content of the page. */
async function show(address: string, list: ReactNode): Promise<HTMLElement> {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => list }),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch,
    stringifySearch,
  });
  const place = document.body.appendChild(document.createElement('div'));
  await act(async () => {
    createRoot(place).render(<RouterProvider router={router} />);
    await router.load();
  });
  return place;
}

const toQuery = (ids: readonly string[], next: string | null) => ({
  data: { items: ids.map((id) => ({ id })), next_cursor: next },
  error: null,
  refetch: () => undefined,
  isPlaceholderData: false,
});

const TEXTS = { name: 'Flows', what: 'flows', empty: 'No flow yet.', columns: [{ name: 'Id', show: readId }] };

function readId({ id }: { readonly id: string }): string {
  return id;
}

const readNext = (place: HTMLElement) => place.querySelector('a[rel=next]')?.getAttribute('href');

describe('a page of a list', () => {
  it('links to the next page with all parameters, unless it is the last one', async () => {
    const address = '/?status=dead&cursor=b';
    const between = await show(address, <PagedTable {...TEXTS} query={toQuery(['f1', 'f2'], 'c')} />);
    expect(readNext(between)).toBe('/?status=dead&cursor=c');
    expect([...between.querySelectorAll('td')].map(({ textContent }) => textContent)).toEqual(['f1', 'f2']);
    const last = await show(address, <PagedTable {...TEXTS} query={toQuery(['f3'], null)} />);
    expect(readNext(last)).toBeUndefined();
  });

  it('links to the next page with the given parameters instead of those in the URL', async () => {
    const place = await show('/?show=4', <PagedTable {...TEXTS} params={{ status: 'new' }} query={toQuery([], 'c')} />);
    expect(readNext(place)).toBe('/?status=new&cursor=c');
  });

  it('explains an empty list instead of showing a table', async () => {
    const place = await show('/', <PagedTable {...TEXTS} query={toQuery([], null)} />);
    expect([place.textContent, place.querySelector('table')]).toEqual(['No flow yet.', null]);
  });
});
