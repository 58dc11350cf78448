import type { Sample } from '@vedette/protocol/metrics/sample'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf } from '../../records/model/stored-record.ts'

/**
 * Returns why a sample over SSH is not of this system: its agent connects by WebSocket, and another machine responds at the address from
 * which it came. Behind a gateway that is the gateway's own agent. Resolves to `undefined` if the host name is the known one, or unknown.
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

/** Resolves to true when an agent has connected as this system by WebSocket, with its fingerprint. */
async function hasDialled(records: RecordStore, system: string): Promise<boolean> {
  return (await records.loadWhere('fingerprints', { system })).some((one) => textOf(one, 'fingerprint') !== '')
}
