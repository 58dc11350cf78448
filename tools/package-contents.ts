import { join } from 'node:path'
import { SERVICE_UNIT } from '../hub/src/fleet/enrolment/service-unit.ts'
import { scriptsOf, type PackageScripts } from './package-scripts.ts'
import { readSource, root } from './rules/source-tree.ts'

/** Processor type of a package's programs, by Node's name. */
export type PackageArchitecture = 'x64' | 'arm64'

/** One file of a package: its path on the machine without the first `/`, its content as a path here or as text, and its mode. */
type PackageFile = { readonly path: string; readonly content: { readonly from: string } | { readonly text: string }; readonly mode: number }

/** Content of a package for any package manager: its description, files, and the scripts that run on the machine. */
export type PackageContents = {
  readonly name: 'vedette' | 'vedette-agent'
  /** One line without a full stop. */
  readonly summary: string
  /** Lines of at most 78 characters. */
  readonly description: readonly string[]
  readonly architecture: PackageArchitecture
  readonly files: readonly PackageFile[]
  /** Paths, with the first `/`, of files that an upgrade does not overwrite when the operator has changed them. */
  readonly configuration: readonly string[]
  /** Names of packages that are equal on Debian and Fedora and that the programs use if they are there. */
  readonly recommends: readonly string[]
  /** Debian packages of the libraries that the programs load. rpmbuild(8) finds those of an RPM package by itself. */
  readonly debianLibraries: readonly string[]
  readonly scripts: PackageScripts
}

/** Path of the executable to package, its processor type, and the licence notices of everything in it. */
type PackagedProgram = { readonly program: string; readonly architecture: PackageArchitecture; readonly notices: string }

const sources = join(root, 'program', 'packages')
const UNITS = 'usr/lib/systemd/system'

/** Returns the content of the hub's package: the single executable with its service, settings and licences. */
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
 * Returns the content of the agent's package: the native executable, its options, and the same service as the install script writes. The
 * service starts with the first installation only if the options have a key. A timer for updates is off until the operator enables it.
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

/** Returns the unit that the hub's install script writes, with the path at which a package installs the agent. */
function agentUnit(): string {
  const unit = SERVICE_UNIT.replace('ExecStart=/usr/local/bin/', 'ExecStart=/usr/bin/')
  if (unit === SERVICE_UNIT) throw new Error('The unit of the agent has no ExecStart=/usr/local/bin/')
  return unit
}
