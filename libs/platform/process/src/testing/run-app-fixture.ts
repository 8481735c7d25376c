import { createLifecycle, createLogger, runApp, setting, StartupError, loadSettings } from '../index.ts';

/** A process for the tests of `runApp`; its argument selects the behavior. */
const [mode] = process.argv.slice(2);
const logger = createLogger({ service: 'fixture', level: 'info', pretty: false });

const component = {
  name: 'worker',
  start: () => {
    if (mode === 'startup-error') throw new StartupError('cannot reach NATS\nat nats://broker:4222; check NATS_URL');
    if (mode === 'bug') throw new TypeError('undefined is not a function');
    if (mode === 'crash') setTimeout(() => void Promise.reject(new Error('nobody caught this')), 10);
    setInterval(() => undefined, 1000);
  },
  stop: () => logger.info('worker.stopped'),
};

await runApp('fixture', () => {
  if (mode === 'settings') {
    loadSettings(
      {
        a: setting.secret('A_KEY', { minLength: 9, description: 'd' }),
        b: setting.secret('B_KEY', { minLength: 9, description: 'd' }),
      },
      {},
    );
  }
  return {
    lifecycle: createLifecycle([component], { logger, stopDeadlineSeconds: 5 }),
    logger,
    describe: () => ({ port: 1 }),
  };
});
