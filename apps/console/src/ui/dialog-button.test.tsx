import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { DialogButton } from './dialog-button.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

function show(disabledReason?: string) {
  const place = document.body.appendChild(document.createElement('div'));
  const button = (
    <DialogButton label="Add flow" disabledReason={disabledReason}>
      {(close) => (
        <p>
          <button onClick={close}>Close</button>
        </p>
      )}
    </DialogButton>
  );
  act(() => createRoot(place).render(button));
  return { place, press: () => act(() => place.querySelector('button')?.click()) };
}

const findDialog = () => document.querySelector('p');

describe('a button that opens a dialog', () => {
  it('renders the dialog over the page, not next to the button, until it is closed', () => {
    const { place, press } = show();
    expect(findDialog()).toBeNull();
    press();
    expect([findDialog()?.textContent, place.querySelector('p')]).toEqual(['Close', null]);
    act(() => findDialog()?.querySelector('button')?.click());
    expect(findDialog()).toBeNull();
  });

  it('opens nothing for users without the permission', () => {
    show('needs manage_flows').press();
    expect(findDialog()).toBeNull();
  });
});
