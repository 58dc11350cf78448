/**
 * Description of an option of the agent, which is a flag and an environment variable. `--help` and docs/agent.md are generated from the
 * list of options.
 */
export type Option = {
  /** Name of the option as environment variable without prefix, such as `DATA_DIR`. Its flag is `--data-dir`. */
  readonly name: string
  readonly kind: 'text' | 'flag' | 'list' | 'duration' | 'path'
  readonly default: string
  readonly doc: string
  /** Other names of the option's command line flag, such as `k` for `-k`; absent for none. */
  readonly aliases?: readonly string[]
}

type Words = readonly [byDefault: string, doc: string, aliases?: readonly string[]]

const option = <Name extends string>(
  name: Name,
  kind: Option['kind'],
  ...[byDefault, doc, aliases]: Words
): Option & { readonly name: Name } =>
  aliases === undefined ? { name, kind, default: byDefault, doc } : { name, kind, default: byDefault, doc, aliases }

export const options = [
  option(
    'KEY',
    'text',
    'none',
    'Public key of the hub, as its Add System dialog shows it; several on lines of their own. This or KEY_FILE is required.',
    ['k'],
  ),
  option('KEY_FILE', 'path', 'none', 'File with the public keys, read when KEY is empty.'),
  option(
    'HUB_URL',
    'text',
    'none',
    'Address of the hub, such as https://hub.example.org; with TOKEN the agent connects to it over WebSocket. Separate several hubs of one database by commas: the agent uses the first one that responds.',
    ['u', 'url'],
  ),
  option('TOKEN', 'text', 'none', 'Token that registers this system with the hub.', ['t']),
  option('TOKEN_FILE', 'path', 'none', 'File with the token, read when TOKEN is empty.'),
  option(
    'ALL_PROXY',
    'text',
    'none',
    'SOCKS5 proxy for the WebSocket connection to the hub: socks5://host:port, or socks5://user:password@host:port. Also all_proxy.',
  ),
  option(
    'HTTPS_PROXY',
    'text',
    'none',
    'HTTP proxy for the connection to a hub at an https address, preferred to ALL_PROXY: http://host:port, or http://user:password@host:port. Also https_proxy.',
  ),
  option(
    'NO_PROXY',
    'list',
    'none',
    'Hosts that are reached without the proxy: names, addresses, networks such as 10.0.0.0/8 or fd00::/8, *.example.org, or * for all. Also no_proxy.',
  ),
  option(
    'HUB_CERT_SHA256',
    'text',
    'none',
    'SHA-256 of a self-signed certificate of the hub, as openssl x509 -fingerprint -sha256 prints it. No other certificate is accepted; name and dates are not checked.',
  ),
  option('SYSTEM_NAME', 'text', 'host name', 'Name under which a hub registers this system when the token is one for many systems.'),
  option(
    'TAGS',
    'list',
    'none',
    'Tags of this system, such as env=prod,home. They group systems; they give access only after an admin accepted them.',
  ),
  option(
    'EXIT_ON_DNS_ERROR',
    'flag',
    'false',
    "true: the agent ends with status 1 when the hub's name cannot be resolved, so that its container is restarted.",
  ),
  option('LISTEN', 'text', '45876', 'Where the SSH server listens for the hub: a port, host:port, or the path of a unix socket.', ['l']),
  option('PORT', 'text', 'none', 'The same as LISTEN, used when LISTEN is empty.'),
  option('NETWORK', 'text', 'by LISTEN', 'Kind of network the SSH server listens on: tcp, tcp4, tcp6 or unix.'),
  option('DISABLE_SSH', 'flag', 'false', 'true: no SSH server; the hub is reached over WebSocket only.'),
  option(
    'DATA_DIR',
    'path',
    'first usable of /var/lib/vedette-agent, ~/.config/vedette-agent and the folders of an agent that ran here before',
    'Folder for the files of the agent: its fingerprint and its SSH host key.',
  ),
  option(
    'RUN_AS',
    'text',
    'the user that started it; the image: 65532',
    'Number of the user that an agent started by root becomes, with the groups of the engine sockets, before it connects or listens. 0 stays root.',
  ),
  option('LOG_LEVEL', 'text', 'info', 'Lowest level that is logged: debug, info, warn or error.'),
  option('FILESYSTEM', 'text', 'the one mounted at /', 'Device, partition or mount point of the system disk.'),
  option(
    'EXTRA_FILESYSTEMS',
    'list',
    'every other disk that is mounted',
    'Further file systems: mount points, devices or labels, each with an optional name to show, such as sdb1__Backup; * stands for all that are found. Network mounts are read only when named. Empty: none. Folders in /extra-filesystems are added.',
  ),
  option(
    'DISK_USAGE_CACHE',
    'duration',
    'every sample',
    'How long the size and use of further file systems are kept before they are read again, such as 15m, so that sleeping disks stay asleep.',
  ),
  option(
    'NICS',
    'list',
    'all that carry traffic of their own',
    'Network interfaces that count: names with * as a wildcard, or with a leading - all but these. Empty: none.',
  ),
  option('MEM_CALC', 'text', 'available memory', 'htop: count used memory as htop does, without buffers and cache.'),
  option(
    'SENSORS',
    'list',
    'all',
    'Temperature sensors: names with * as a wildcard, or with a leading - all but these. Empty: none are read.',
  ),
  option('PRIMARY_SENSOR', 'text', 'the hottest', 'Sensor whose temperature represents the machine in lists.'),
  option('SYS_SENSORS', 'path', '/sys', 'Other root of sysfs for the sensors.'),
  option('SENSORS_TIMEOUT', 'duration', '2s', 'Timeout for reading all sensors.'),
  option(
    'DOCKER_HOST',
    'text',
    'unix:///var/run/docker.sock, else the socket of Podman',
    'Container engine: unix:///path, tcp://host:port or http(s)://host:port. Empty: containers are not read.',
  ),
  option('DOCKER_TIMEOUT', 'duration', '2.1s', 'Timeout of one request to the container engine.'),
  option('EXCLUDE_CONTAINERS', 'list', 'none', 'Containers to leave out: names with * as a wildcard.'),
  option('SKIP_GPU', 'flag', 'false', 'true: GPUs are not read.'),
  option(
    'GPU_COLLECTOR',
    'list',
    'all makers that are there',
    'Which GPUs are read: nvidia-smi, amd_sysfs, intel_sysfs. Names of other tools stand for the same GPUs.',
  ),
  option('NVML', 'flag', 'false', 'Accepted for existing installations: NVIDIA GPUs are read through nvidia-smi either way.'),
  option('AMD_SYSFS', 'flag', 'false', 'Accepted for existing installations: AMD GPUs are read through sysfs either way.'),
  option(
    'SMART_DEVICES',
    'list',
    'those that smartctl finds',
    'Drives whose health is read, besides those that smartctl finds: /dev/sda or, with a type, /dev/sda:sat. Empty: smartctl does not search.',
  ),
  option('SMART_DEVICES_SEPARATOR', 'text', ',', 'Separator of the entries of SMART_DEVICES, for types with a comma.'),
  option('EXCLUDE_SMART', 'list', 'none', 'Drives whose health is not read: /dev/sda or sda, with * as a wildcard.'),
  option('SMART_INTERVAL', 'duration', "the hub's, 1h", 'Interval at which the hub requests the health of drives.'),
  option('SKIP_SYSTEMD', 'flag', 'false', 'true: services are not read.'),
  option(
    'SERVICE_PATTERNS',
    'list',
    'all services',
    'Units of systemd that are listed: names with * as a wildcard, such as docker* or *.timer. A name without an ending means a service.',
  ),
  option('HOST_PROC', 'path', '/proc', 'Where the process file system of the machine is mounted.'),
  option('HOST_SYS', 'path', '/sys', 'Where its sysfs is mounted.'),
  option('HOST_ETC', 'path', '/etc', 'Where its /etc is mounted.'),
  option('HOST_PROC_MOUNTINFO', 'path', '1/mountinfo in HOST_PROC', 'File with the mounts of the machine (mountinfo).'),
] as const satisfies readonly Option[]

export type OptionName = (typeof options)[number]['name']

/** List of the names of options of the Beszel agent that this agent accepts without effect. Using one causes a warning. */
export const ignoredOptions: readonly string[] = ['INTEL_GPU_DEVICE']

/**
 * List of the prefixes of the agent's environment variables in order of precedence. The last is empty: `TOKEN` works if
 * `VEDETTE_AGENT_TOKEN` is not set.
 */
const prefixes: readonly string[] = ['VEDETTE_AGENT_', 'BESZEL_AGENT_', '']

/** Set of the names of proxy environment variables that are also read in lower case, as other programs do. */
const lowerCaseToo: ReadonlySet<string> = new Set(['ALL_PROXY', 'HTTPS_PROXY', 'NO_PROXY'])

/** Returns the list of the names of the environment variables of an option, in order of precedence, such as `VEDETTE_AGENT_TOKEN`. */
export const environmentNames = (name: string): readonly string[] => [
  ...prefixes.map((prefix) => prefix + name),
  ...(lowerCaseToo.has(name) ? [name.toLowerCase()] : []),
]

export const flagOf = (name: string): string => name.toLowerCase().replaceAll('_', '-')
