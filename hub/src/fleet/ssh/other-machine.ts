import type { Sample } from '@vedette/protocol/metrics/sample'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf } from '../../records/model/stored-record.ts'

/**
 * Resolves to the reason why a sample fetched over SSH comes from another machine than the system's; `undefined` if it does not. Compares
 * host names, for agents that otherwise connect by WebSocket: behind a gateway, the gateway's own agent may respond.
 */
export async function otherMachine(
  records: RecordStore,
  { system, peer }: { readonly system: string; readonly peer: string },
  { machine }: Pick<Sample, 'machine'>,
): Promise<string | undefined> {
  if (machine?.hostname === undefined) return undefined
  const known = await records.load('system_details', system)
  const hostname = known === undefined ? '' : textOf(known, 'hostname')
  if (hostname === '' || hostname === machine.hostname || !(await hasDialled(records, system))) return undefined
  return (
    `Another machine, "${machine.hostname}", responds at ${peer}, and this system is "${hostname}": its own agent is not connected. ` +
    'After a change of the host name, let the agent connect to the hub once'
  )
}

/** Resolves to true if an agent of this system has connected by WebSocket and its fingerprint is still stored. */
async function hasDialled(records: RecordStore, system: string): Promise<boolean> {
  return (await records.loadWhere('fingerprints', { system })).some((one) => textOf(one, 'fingerprint') !== '')
}
