/** List of pairs: a regular expression for the reason why a test was skipped, and a command against it, such as `apt-get install curl`. */
const remedies: readonly (readonly [reason: RegExp, command: string])[] = [
  [/\bonly root\b/, 'sudo npm test'],
  [/::1/, 'sysctl -w net.ipv6.conf.all.disable_ipv6=0'],
  [/ssh-audit/, 'apt-get install ssh-audit'],
  [/no ssh here/, 'apt-get install openssh-client'],
  [/\bcurl\b/, 'apt-get install curl'],
  [/faketime/, 'apt-get install faketime'],
  [/nats-server/, 'apt-get install nats-server'],
  [/pgbouncer/, 'apt-get install pgbouncer'],
  [/haproxy/, 'apt-get install haproxy'],
  [/nginx/, 'apt-get install nginx-light'],
  [/mosquitto/, 'apt-get install mosquitto mosquitto-clients'],
  [/caddy/, 'apt-get install caddy'],
  [/native agent is not built|test-driver/, 'npm run build:agent:native'],
  [/CHROMIUM_PATH/, 'env -u CHROMIUM_PATH npm test'],
  [/long runs|long suite/, 'npm run test:long'],
  [/folder of a release/, 'npm run release -- --dry-run --quick'],
  [/minisign/, 'apt-get install minisign'],
  [/shellcheck/, 'apt-get install shellcheck'],
  [/rpmbuild/, 'apt-get install rpm'],
  [/script\(1\)/, 'apt-get install bsdutils'],
  [/prometheus-client/, 'apt-get install python3-prometheus-client'],
  [/\bprometheus\b/, 'apt-get install prometheus'],
  [/qemu/, 'apt-get install qemu-user-static'],
  [/no Helm here/, '.ci/run'],
  [/python3/, 'apt-get install python3-venv'],
  [/\b(?:docker|dockerd|engine)\b/i, 'apt-get install docker.io'],
]

/**
 * Returns the shell command, such as an installation, after which a skipped test can run. It is found by the test's skip reason;
 * `undefined` when none is known.
 */
export const remedyOf = (reason: string): string | undefined => remedies.find(([pattern]) => pattern.test(reason))?.[1]
