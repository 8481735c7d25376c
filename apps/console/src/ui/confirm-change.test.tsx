import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { ConfirmChange } from './confirm-change.tsx';
import { DialogButton } from './dialog-button.tsx';
import { useChange } from './use-change.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// The document of this test environment does not support dialogs.
Object.assign(HTMLDialogElement.prototype, { showModal: () => undefined, close: () => undefined });

function Remove({ remove }: { readonly remove: () => Promise<unknown> }) {
  const change = useChange(remove, () => ['flows']);
  return (
    <DialogButton label="Delete">
      {(close) => <ConfirmChange title="Delete nightly" action="Delete flow" change={change} onClose={close} />}
    </DialogButton>
  );
}

/** Waits for the outcome of a change, which becomes visible after a few turns of the event loop. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await act(() => new Promise((resolve) => setTimeout(resolve)));
}
const findButton = (name: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name);
const press = (name: string) => act(() => findButton(name)?.click());
const findDialog = () => document.querySelector('dialog');
const findError = () => document.querySelector('[role=alert]');

describe('a change that requires confirmation', () => {
  it('runs once, closes when it is done, shows errors, and clears them when closed', async () => {
    const answers: ((refusal?: Error) => void)[] = [];
    const remove = () =>
      new Promise<void>((resolve, reject) => {
        answers.push((refusal) => (refusal === undefined ? resolve() : reject(refusal)));
      });
    const place = document.body.appendChild(document.createElement('div'));
    act(() =>
      createRoot(place).render(
        <QueryClientProvider client={new QueryClient()}>
          <Remove remove={remove} />
        </QueryClientProvider>,
      ),
    );
    press('Delete');
    press('Delete flow');
    await until(() => findButton('Delete flow')?.getAttribute('aria-busy') === 'true');
    press('Delete flow');
    expect(answers).toHaveLength(1);
    answers[0]?.(new Error('in use'));
    await until(() => findError() !== null);
    press('Cancel');
    expect(findDialog()).toBeNull();
    press('Delete');
    await until(() => findDialog() !== null && findError() === null);
    press('Delete flow');
    await until(() => answers.length === 2);
    answers[1]?.();
    await until(() => findDialog() === null);
  });
});
