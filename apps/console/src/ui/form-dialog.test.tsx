import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { FormDialog } from './form-dialog.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// The document of this test environment does not support dialogs.
Object.assign(HTMLDialogElement.prototype, { showModal: () => undefined, close: () => undefined });

describe('a form in a dialog', () => {
  it('stays open after an error; on success it first refetches the affected data, then closes, then passes the response on', async () => {
    const steps: string[] = [];
    const answers = [Promise.reject(new Error('taken')), Promise.resolve('made')];
    const client = new QueryClient();
    client.invalidateQueries = (filters) => Promise.resolve(void steps.push(`read ${String(filters?.queryKey)}`));
    const place = document.body.appendChild(document.createElement('div'));
    act(() =>
      createRoot(place).render(
        <QueryClientProvider client={client}>
          <FormDialog
            title="Add flow"
            action="Add"
            onClose={() => void steps.push('close')}
            onSend={() => answers.shift() ?? Promise.reject(new Error('sent too often'))}
            touches={() => ['flows']}
            onSent={(answer) => void steps.push(answer)}
          >
            {() => <input name="name" />}
          </FormDialog>
        </QueryClientProvider>,
      ),
    );
    const send = () => act(async () => place.querySelector<HTMLButtonElement>('button[type=submit]')?.click());
    await send();
    expect([place.querySelector('[role=alert]')?.textContent, steps]).toEqual([expect.stringMatching(/./), []]);
    await send();
    expect(steps).toEqual(['read flows', 'close', 'made']);
  });
});
