import { listFiles, readSource } from '../rules/source-tree.ts'
import { cargoDeny, ensureCargoDeny, hasCargo } from './cargo-deny.ts'
import { installedProblems } from './installed-packages.ts'
import { knownSecrets, secretsIn } from './secrets.ts'

// Checks the packages and crates of the product against the policy, and the repository for secrets. Vulnerabilities are a separate check:
// `npm run audit`.
const problems = [...installedProblems()]
for (const path of listFiles()) if (!knownSecrets.has(path)) problems.push(...(await secretsIn(path, readSource(path))))
for (const problem of problems) console.log(problem)
const canCheckCrates = hasCargo()
if (!canCheckCrates) console.log('not checked: crates, as there is no cargo here')
const isFit = !canCheckCrates || ((await ensureCargoDeny()) && (await cargoDeny('bans', 'licenses', 'sources')) === 0)
if (problems.length > 0 || !isFit) process.exitCode = 1
else console.log('Packages, crates and secrets: nothing wrong')
