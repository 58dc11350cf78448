import { spawnSync } from 'node:child_process'
import { root } from '../rules/source-tree.ts'
import { cargoDeny, ensureCargoDeny, fetchAdvisories, hasCargo } from './cargo-deny.ts'
import { auditOutcome } from './audit-outcome.ts'

// Checks packages and crates for known vulnerabilities. It prints when a registry is not reachable. It is a step of a release, not of each
// change.
const { stdout, stderr } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
const npm = auditOutcome(stdout)
if (npm.kind === 'not checked') console.log(`not checked: npm packages (${npm.why || stderr.trim().split('\n').at(-1)})`)
else for (const line of npm.vulnerabilities) console.log(line)
const isNpmFit = npm.kind === 'not checked' || npm.vulnerabilities.length === 0
if (npm.kind === 'checked' && isNpmFit) console.log('npm packages: no known vulnerability')

const canAsk = hasCargo() && (await ensureCargoDeny()) && (await fetchAdvisories())
if (!canAsk) console.log('not checked: crates (the list of advisories cannot be fetched)')
const isCargoFit = !canAsk || (await cargoDeny('advisories')) === 0
if (!isNpmFit || !isCargoFit) process.exitCode = 1
