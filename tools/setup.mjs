// Makes a fresh clone ready: installs what package-lock.json names when it is not what is installed. Plain JavaScript
// without dependencies, for any Node from 18 on; everything after it runs on the Node this installs.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.vedette-installed')
// How it is installed counts, too: what an older form of this program left out is made up for.
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
  // npm leaves out optional packages that its own Node may not have, such as the bundler's: there are others for the Node it just installed.
  if (majorOf(node.version) !== majorOf(process.versions.node)) await npmInstall([node.folder, process.env.PATH].join(delimiter))
  linkNode(node)
  clearInterval(ticking)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  say(`Set up in ${seconds()}`)
}

/** Ends this process when npm fails. */
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

/** Ends this process when there is none. */
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

/** The scripts find the installed Node by this link. npm 10 makes it for every other program, but not for one that is called `node`. */
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
