import { join } from 'node:path'
import { SERVICE_UNIT } from '../hub/src/fleet/enrolment/service-unit.ts'
import { scriptsOf, type PackageScripts } from './package-scripts.ts'
import { readSource, root } from './rules/source-tree.ts'

/** Processor type of a Debian, RPM or npm package, by Node's name: `x64` or `arm64`. */
export type PackageArchitecture = 'x64' | 'arm64'

/**
 * One file of a Debian or RPM package. `path` is its place on the target machine, without the first `/`. Its content is a file here
 * (`from`) or a `text`; `mode` has its permission bits.
 */
type PackageFile = { readonly path: string; readonly content: { readonly from: string } | { readonly text: string }; readonly mode: number }

/**
 * Content of a Debian or RPM package, independent of the format: name, description, files, dependencies, and the shell scripts that run at
 * installation and removal.
 */
export type PackageContents = {
  readonly name: 'vedette' | 'vedette-agent'
  /** Summary of the Debian or RPM package: one line without a full stop. */
  readonly summary: string
  /** Description of the Debian or RPM package as a list of lines, each of at most 78 characters. */
  readonly description: readonly string[]
  readonly architecture: PackageArchitecture
  readonly files: readonly PackageFile[]
  /**
   * List of the paths, with the first `/`, of the package's configuration files. An upgrade does not overwrite one that the operator has
   * changed.
   */
  readonly configuration: readonly string[]
  /** List of the names of recommended packages, which the programs use if installed. The names are equal on Debian and Fedora. */
  readonly recommends: readonly string[]
  /**
   * List of the Debian packages with the shared libraries that the programs load, as dependencies. An RPM package needs no such list,
   * because rpmbuild(8) finds them.
   */
  readonly debianLibraries: readonly string[]
  readonly scripts: PackageScripts
}

/**
 * Input for a package of the hub or agent: path of the executable, its processor type, and the licence notices (text) of everything in it.
 */
type PackagedProgram = { readonly program: string; readonly architecture: PackageArchitecture; readonly notices: string }

const sources = join(root, 'program', 'packages')
const UNITS = 'usr/lib/systemd/system'

/** Returns the content of the hub's Debian or RPM package: the single executable with systemd service, settings and licences. */
export const hubPackage = ({ program, architecture, notices }: PackagedProgram): PackageContents => ({
  name: 'vedette',
  summary: 'self-hosted server monitoring',
  description: [
    'The hub of Vedette: it collects the metrics of machines from their agents,',
    'stores their history, sends alerts, and serves the dashboard. The file',
    'also contains the agent and the command line tool.',
  ],
  architecture,
  files: [
    { path: 'usr/bin/vedette', content: { from: program }, mode: 0o755 },
    { path: `${UNITS}/vedette.service`, content: { from: join(sources, 'vedette.service') }, mode: 0o644 },
    { path: 'etc/vedette/vedette.env', content: { from: join(sources, 'vedette.env') }, mode: 0o640 },
    ...licences('vedette', notices),
  ],
  configuration: ['/etc/vedette/vedette.env'],
  recommends: ['ca-certificates'],
  // Those of Node.js; the versions are those of the newest symbols that it uses.
  debianLibraries: ['libatomic1', 'libc6 (>= 2.28)', 'libgcc-s1', 'libstdc++6 (>= 5.1)'],
  scripts: scriptsOf({ name: 'vedette', dataFolder: 'vedette' }),
})

/**
 * Returns the content of the agent's Debian or RPM package: native executable, options file, and the systemd service that the install
 * script writes too. At the first installation the service starts only if the options contain a key. The timer for updates is disabled
 * until the operator enables it.
 */
export const agentPackage = ({ program, architecture, notices }: PackagedProgram): PackageContents => ({
  name: 'vedette-agent',
  summary: 'agent of the server monitoring Vedette',
  description: ['The agent of Vedette reads the metrics of its machine and sends them to a hub.', 'It runs nothing that a hub sends.'],
  architecture,
  files: [
    { path: 'usr/bin/vedette-agent', content: { from: program }, mode: 0o755 },
    { path: `${UNITS}/vedette-agent.service`, content: { text: agentUnit() }, mode: 0o644 },
    ...['service', 'timer'].map((kind) => ({
      path: `${UNITS}/vedette-agent-update.${kind}`,
      content: { from: join(sources, `vedette-agent-update.${kind}`) },
      mode: 0o644,
    })),
    { path: 'etc/vedette-agent.env', content: { from: join(sources, 'vedette-agent.env') }, mode: 0o600 },
    ...licences('vedette-agent', notices),
  ],
  configuration: ['/etc/vedette-agent.env'],
  recommends: ['smartmontools'],
  debianLibraries: [],
  scripts: scriptsOf({
    name: 'vedette-agent',
    dataFolder: 'vedette-agent',
    needs: { file: '/etc/vedette-agent.env', setting: 'KEY' },
    timer: 'vedette-agent-update.timer',
  }),
})

const licences = (name: string, notices: string): readonly PackageFile[] => [
  { path: `usr/share/doc/${name}/copyright`, content: { text: readSource('LICENSE') }, mode: 0o644 },
  { path: `usr/share/doc/${name}/third-party-licenses`, content: { text: notices }, mode: 0o644 },
]

/**
 * Returns the text of the agent's systemd unit as the hub's install script writes it, but with the path `/usr/bin` where packages install
 * the agent.
 */
function agentUnit(): string {
  const unit = SERVICE_UNIT.replace('ExecStart=/usr/local/bin/', 'ExecStart=/usr/bin/')
  if (unit === SERVICE_UNIT) throw new Error('The unit of the agent has no ExecStart=/usr/local/bin/')
  return unit
}
