import fc from 'fast-check'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionLimits, type ConnectionLimitSettings, type ConnectionSlot } from './connection-limits.ts'

const settings: ConnectionLimitSettings = { unprovedPerSource: 3, unproved: 6, unprovedBytesPerSource: 100, bytesPerOwner: 200 }
const OWNER_MOST = 4

/** Opens connections by name; `closed` are those that were evicted, in order. */
function books(work: { readonly run?: (work: () => void) => void } = {}) {
  const closed: string[] = []
  const limits = connectionLimits(settings, work.run ?? ((check) => check()))
  const open = (name: string, address = '192.0.2.1'): ConnectionSlot => limits.open(address, () => closed.push(name))
  return { closed, limits, open }
}

test('connectionLimits: a connection beyond the limit of its source closes the oldest connection', () => {
  const { closed, open } = books()
  for (const name of ['a', 'b', 'c']) open(name)
  assert.deepEqual(closed, [])
  open('d')
  open('e')
  assert.deepEqual(closed, ['a', 'b'])
  open('f', '192.0.2.2')
  assert.deepEqual(closed, ['a', 'b'])
})

test('connectionLimits: IPv6 addresses of one /64 network count as one source', () => {
  const { closed, open } = books()
  for (const end of ['1', '2', '3', '4']) open(end, `2001:db8:0:1::${end}`)
  open('other', '2001:db8:0:2::1')
  assert.deepEqual(closed, ['1'])
})

test('connectionLimits: all unauthenticated connections together have a limit, too', () => {
  const { closed, open } = books()
  for (let at = 0; at < 6; at++) open(`${at}`, `192.0.2.${at}`)
  assert.deepEqual(closed, [])
  open('6', '198.51.100.1')
  assert.deepEqual(closed, ['0'])
})

test('connectionLimits: an authenticated connection counts for its owner only, and other connections do not close it', () => {
  const { closed, limits, open } = books()
  open('agent').prove('system 1', OWNER_MOST)
  for (const name of ['a', 'b', 'c']) open(name)
  assert.deepEqual([closed, limits.unproved(), limits.countOfOwner('system 1')], [[], 3, 1])
  open('d')
  assert.deepEqual(closed, ['a'])
})

test('connectionLimits: a connection beyond the limit of its owner closes the owner’s oldest connection', () => {
  const { closed, open } = books()
  for (const name of ['a', 'b', 'c', 'd']) open(name).prove('account 1', OWNER_MOST)
  assert.deepEqual(closed, [])
  open('e').prove('account 1', OWNER_MOST)
  open('other').prove('account 2', OWNER_MOST)
  assert.deepEqual(closed, ['a'])
})

test('connectionLimits: a connection whose proof is being checked does not count for its address', () => {
  const { closed, limits, open } = books()
  const checked = ['a', 'b', 'c'].map((name) => {
    const slot = open(name)
    slot.checkProof(true)
    return slot
  })
  for (const name of ['d', 'e', 'f']) open(name)
  assert.deepEqual([closed, limits.unproved()], [[], 6])
  checked[0]?.prove('system 1', OWNER_MOST)
  checked[1]?.checkProof(false)
  assert.deepEqual(closed, ['d'])
})

test('connectionLimits: bytes beyond the limit close the oldest connection that holds bytes', () => {
  const { closed, open } = books()
  open('idle')
  const [a, b] = [open('a'), open('b')]
  a.holdBytes(60)
  b.holdBytes(40)
  assert.deepEqual(closed, [])
  b.holdBytes(41)
  assert.deepEqual(closed, ['a'])
  b.holdBytes(1000)
  assert.deepEqual(closed, ['a'])
})

test('connectionLimits: the oldest connection with more than its share of the bytes is closed first', () => {
  const { closed, open } = books()
  for (const [name, bytes] of Object.entries({ small: 5, large: 90 })) open(name).holdBytes(bytes)
  assert.deepEqual(closed, [])
  open('newest').holdBytes(6)
  assert.deepEqual(closed, ['large'])
})

test('connectionLimits: a connection that authenticates in the same turn is not closed', () => {
  let run = (): void => {}
  const { closed, open } = books({ run: (work) => void (run = work) })
  const herd = Array.from({ length: 20 }, (_, at) => open(`${at}`))
  for (const [at, slot] of herd.entries()) slot.prove(`system ${at}`, 1)
  run()
  assert.deepEqual(closed, [])
})

type Step =
  | { readonly kind: 'open'; readonly source: number }
  | { readonly kind: 'prove'; readonly at: number; readonly owner: number }
  | { readonly kind: 'check'; readonly at: number; readonly on: boolean }
  | { readonly kind: 'hold'; readonly at: number; readonly bytes: number }
  | { readonly kind: 'release'; readonly at: number }

const at = fc.nat(30)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), source: fc.nat(3) }),
  fc.record({ kind: fc.constant('prove' as const), at, owner: fc.nat(2) }),
  fc.record({ kind: fc.constant('check' as const), at, on: fc.boolean() }),
  fc.record({ kind: fc.constant('hold' as const), at, bytes: fc.nat(150) }),
  fc.record({ kind: fc.constant('release' as const), at }),
)

test('connectionLimits: no limit is exceeded, the newest connection stays open, and all counts end at 0', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const limits = connectionLimits(settings, (check) => check())
      type TrackedConnection = { slot: ConnectionSlot; source: number; owner: number | undefined; checking: boolean; evictions: number }
      const all: TrackedConnection[] = []
      const gone = new Set<TrackedConnection>()
      const alive = (): TrackedConnection[] => all.filter((one) => !gone.has(one))
      for (const one of steps) {
        if (one.kind === 'open') {
          let known: TrackedConnection | undefined
          const evict = (): void => {
            assert.ok(known !== undefined, 'the newest connection was refused')
            known.evictions += 1
            gone.add(known)
          }
          known = { slot: limits.open(`192.0.2.${one.source}`, evict), source: one.source, owner: undefined, checking: false, evictions: 0 }
          all.push(known)
        } else {
          const known = all[one.at]
          if (known === undefined) continue
          if (one.kind === 'prove') {
            known.owner = gone.has(known) ? known.owner : one.owner
            known.slot.prove(`${one.owner}`, OWNER_MOST)
          } else if (one.kind === 'check') {
            known.checking = gone.has(known) ? known.checking : one.on
            known.slot.checkProof(one.on)
          } else if (one.kind === 'hold') known.slot.holdBytes(one.bytes)
          else {
            known.slot.release()
            gone.add(known)
          }
        }
        const unproved = alive().filter(({ owner }) => owner === undefined)
        assert.equal(limits.unproved(), unproved.length)
        assert.ok(unproved.length <= settings.unproved)
        for (const source of [0, 1, 2, 3]) {
          const counted = unproved.filter((known) => known.source === source && !known.checking)
          assert.ok(counted.length <= settings.unprovedPerSource)
        }
        for (const owner of [0, 1, 2]) {
          const owned = alive().filter((known) => known.owner === owner)
          assert.equal(limits.countOfOwner(`${owner}`), owned.length)
          assert.ok(owned.length <= OWNER_MOST)
        }
      }
      assert.ok(all.every(({ evictions }) => evictions <= 1))
      for (const { slot } of all) slot.release()
      assert.deepEqual([limits.unproved(), limits.countOfOwner('0')], [0, 0])
    }),
  )
})
