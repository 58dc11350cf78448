// Makes a fresh clone ready: installs the packages of package-lock.json unless they are installed. Plain JavaScript without dependencies,
// for any Node from 18 on. Everything after it runs on the Node that it installs.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.vedette-installed')
// A change of this program also triggers an installation.
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .digest('hex')

if (installed() !== wanted) await install()

function installed() {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return undefined
  }
}

async function install() {
  const startedAt = Date.now()
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`
  say('Setting up: installing the packages of package-lock.json (about a minute the first time)')
  const ticking = setInterval(() => say(`  still installing, ${seconds()}`), 10_000)
  await npmInstall(process.env.PATH)
  const node = installedNode()
  // npm leaves out optional packages that do not fit its own Node, such as the bundler's; the installed Node may need others.
  if (majorOf(node.version) !== majorOf(process.versions.node)) await npmInstall([node.folder, process.env.PATH].join(delimiter))
  linkNode(node)
  clearInterval(ticking)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  say(`Set up in ${seconds()}`)
}

/** Installs the packages with npm. Ends this process when npm fails. */
async function npmInstall(path) {
  const code = await new Promise((resolve) => {
    // Not `npm ci`: it refuses a lock file that leaves out builds for platforms whose packages a registry does not have.
    const npm = spawn('npm', ['install', '--no-save', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, PATH: path },
    })
    npm.on('error', (error) => {
      say(`Cannot run npm: ${error.message}`)
      resolve(1)
    })
    npm.on('exit', (status) => resolve(status ?? 1))
  })
  if (code === 0) return
  say(`Cannot install the packages: npm ended with status ${code}`)
  process.exit(1)
}

/** Returns the Node that package.json names. Ends this process when it is not installed. */
function installedNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of Object.keys(optionalDependencies).filter((one) => one.startsWith('node-'))) {
    const folder = join(root, 'node_modules', name, 'bin')
    if (!existsSync(join(folder, 'node'))) continue
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
    return { name, folder, version }
  }
  say('Cannot find the Node that package.json names: this platform has no package of it')
  process.exit(1)
}

/** Creates the link by which scripts find the installed Node. npm 10 does not create it for a program called `node`. */
function linkNode({ name }) {
  const link = join(root, 'node_modules', '.bin', 'node')
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(join('..', name, 'bin', 'node'), link)
}

function majorOf(version) {
  return Number.parseInt(version, 10)
}

function say(text) {
  process.stderr.write(`${text}\n`)
}
