import { join } from 'node:path'
import { firstRunOf, type FirstRun } from '../accounts/first-run.ts'
import { importSystems } from '../fleet/enrolment/import-systems.ts'
import { readSystemFile } from '../fleet/enrolment/read-system-file.ts'
import type { HubConfig } from './config.ts'
import type { Stores } from './open-stores.ts'

/**
 * Creates the first admin from the hub's options when there are no users, and imports the systems of the file `config.yml`. Resolves to the
 * functions by which the operator can create the first admin with the setup code.
 */
export async function prepareFirstStart(config: HubConfig, { engine, cluster, directory, logOf }: Stores): Promise<FirstRun> {
  const firstRun = firstRunOf(engine, { isShared: cluster?.messages !== undefined })
  await createFirstAdmin(config, firstRun)
  const systemFile = readSystemFile(join(directory, 'config.yml'))
  if (systemFile !== undefined) await importSystems(engine, systemFile, logOf('config.yml'))
  return firstRun
}

async function createFirstAdmin({ firstAdmin }: HubConfig, firstRun: FirstRun): Promise<void> {
  if (firstAdmin === undefined || !(await firstRun.isOpen())) return
  await firstRun.createAdmin({ email: firstAdmin.email, password: firstAdmin.password.reveal(), setupCode: 'not needed' })
}
