import serviceWorkerUrl from './service-worker.js?url';

/** Address and keys that a browser issues for sending push messages to it. */
export interface BrowserSubscription {
  readonly url: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/**
 * Returns whether this browser can get notices at all; on an iPhone, only a page that was opened from the home screen
 * can.
 */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

interface ScriptPolicy {
  createScriptURL(url: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

/** Marks the URL as trusted under the page's Trusted Types policy, because it is the URL of a file of this build. */
function trustScript(url: string): string {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy('service-worker', { createScriptURL: (each) => each }).createScriptURL(url) ?? url;
}

let registration: Promise<ServiceWorkerRegistration> | undefined;

function register(): Promise<ServiceWorkerRegistration> {
  registration ??= navigator.serviceWorker
    .register(trustScript(serviceWorkerUrl), { scope: '/' })
    .then(() => navigator.serviceWorker.ready);
  return registration;
}

/**
 * Asks the user for permission, and then subscribes to the push service of the browser.
 * @throws Error with a message for the user
 */
export async function subscribeBrowser(publicKey: string): Promise<BrowserSubscription> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error(
      'This browser does not allow notifications from this page. Allow them in the browser’s site settings.',
    );
  const { pushManager } = await register();
  // A subscription of another deployment, or of a former key, cannot be used.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint = '', keys = {} } = made.toJSON();
  return { url: endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } };
}

/** Ends the subscription in the browser, which then receives nothing, even if the service still sends notices. */
export async function unsubscribeBrowser(): Promise<void> {
  if (!canPush()) return;
  const { pushManager } = (await navigator.serviceWorker.getRegistration('/')) ?? {};
  await (await pushManager?.getSubscription())?.unsubscribe();
}
