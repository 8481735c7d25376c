import { useId, useState } from 'react';
import type { User } from '../api/answers.ts';
import { signOut } from '../auth/session.ts';
import { readTheme, setTheme, THEMES } from '../theme/theme.ts';
import { Button } from '../ui/button.tsx';
import styles from './user-menu.module.css';

/** Menu of the signed-in user. The browser opens and closes it, handles Escape and restores the focus. */
export function UserMenu({ user }: { readonly user: User }) {
  const id = useId();
  const [theme, chooseTheme] = useState(readTheme);
  return (
    <>
      <Button look="quiet" popoverTarget={id} aria-label={`User menu: ${user.username}`}>
        {user.username}
      </Button>
      <div id={id} popover="auto" className={styles['menu']}>
        <p>
          {user.email}
          <br />
          <span className={styles['role']}>{user.role}</span>
        </p>
        <fieldset className={styles['themes']}>
          <legend>Theme</legend>
          {THEMES.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="theme"
                checked={theme === each}
                onChange={() => {
                  setTheme(each);
                  chooseTheme(each);
                }}
              />
              {each}
            </label>
          ))}
        </fieldset>
        <Button onClick={() => void signOut().catch(() => undefined)}>Sign out</Button>
      </div>
    </>
  );
}
