// Makes a fresh clone ready: installs what package-lock.json names when it is not what is installed. Plain JavaScript
// without dependencies, for any Node from 18 on; everything after it runs on the Node this installs.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.vedette-installed')
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
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
  const code = await new Promise((resolve) => {
    // Not `npm ci`: it refuses a lock file that leaves out builds for platforms whose packages a registry does not have.
    const npm = spawn('npm', ['install', '--no-save', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    npm.on('error', (error) => {
      say(`Cannot run npm: ${error.message}`)
      resolve(1)
    })
    npm.on('exit', (status) => resolve(status ?? 1))
  })
  clearInterval(ticking)
  if (code !== 0) {
    say(`Cannot install the packages: npm ended with status ${code}`)
    process.exit(1)
  }
  linkNode()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  say(`Set up in ${seconds()}`)
}

/** The scripts find the installed Node by this link. npm 10 makes it for every other program, but not for one that is called `node`. */
function linkNode() {
  const link = join(root, 'node_modules', '.bin', 'node')
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) return
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of Object.keys(optionalDependencies).filter((one) => one.startsWith('node-'))) {
    const target = join('..', name, 'bin', 'node')
    if (existsSync(join(dirname(link), target))) return symlinkSync(target, link)
  }
  say('Cannot find the Node that package.json names: this platform has no package of it')
  process.exit(1)
}

function say(text) {
  process.stderr.write(`${text}\n`)
}
