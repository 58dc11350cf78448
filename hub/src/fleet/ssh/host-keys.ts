import type { Database } from '../../platform/db/database.ts'
import { loadState, saveState } from '../../platform/db/hub-state.ts'
import type { AgentHostKey } from './ssh-dial.ts'

/**
 * Store of the agents' SSH host keys, pinned per system at first contact. Keys of agents that create a new key at each start are not
 * pinned.
 */
export type HostKeys = {
  /**
   * Loads a system's pinned SSH host key and resolves to two functions for one connection. `judge` returns why the agent's key is refused,
   * or `undefined` to accept it. `met`, to be called after authentication, pins the key at a first contact.
   */
  readonly judgeFor: (
    system: string,
  ) => Promise<{ readonly judge: (key: AgentHostKey) => string | undefined; readonly met: () => Promise<void> }>
  /**
   * Accepts the SSH host key that was last refused for a system (by id): pins it in place of the earlier one. For an agent with a new key
   * at each start, it only removes the pin. Resolves to false when no key was refused.
   */
  readonly accept: (system: string) => Promise<boolean>
  readonly forget: (system: string) => Promise<void>
}

export function hostKeys(db: Database): HostKeys {
  const refused = new Map<string, AgentHostKey>()
  const nameOf = (system: string): string => `hostKey.${system}`

  const load = (system: string): Promise<string | undefined> => loadState(db.kysely, nameOf(system))

  async function unpin(system: string): Promise<void> {
    await db.write(async ({ sql }) => {
      await sql.deleteFrom('hub_state').where('name', '=', nameOf(system)).execute()
    })
  }

  async function pin(system: string, fingerprint: string): Promise<void> {
    await db.write(({ sql }) => saveState(sql, nameOf(system), fingerprint))
  }

  return {
    async judgeFor(system) {
      const pinned = await load(system)
      let seen: string | undefined
      return {
        judge(key) {
          if (pinned === undefined) seen = key.isKept ? key.fingerprint : undefined
          else if (key.fingerprint !== pinned) {
            refused.set(system, key)
            return (
              `The agent shows another host key (${key.fingerprint}) than the one it had (${pinned}). ` +
              'An admin may accept it, if the machine was set up anew.'
            )
          }
          return undefined
        },
        async met() {
          refused.delete(system)
          if (seen !== undefined) await pin(system, seen)
        },
      }
    },

    async accept(system) {
      const key = refused.get(system)
      if (key === undefined) return false
      if (key.isKept) await pin(system, key.fingerprint)
      else await unpin(system)
      refused.delete(system)
      return true
    },

    async forget(system) {
      refused.delete(system)
      if ((await load(system)) !== undefined) await unpin(system)
    },
  }
}
