/** Most items of a batch. A longer one would hold up everything else. */
const MOST_AT_ONCE = 100

/** The average interval covers about this many items; a longer interval counts as `LONGEST_INTERVAL_MS`. */
const AVERAGED_ITEMS = 50
const LONGEST_INTERVAL_MS = 60_000

/** When a batch may begin: `apartMs` after the last one began, and `companyMs` after its own first item came. */
export type Pace = { readonly apartMs: number; readonly companyMs: number }

type BatchQueueParts<In, Out> = {
  /** Two items with one key are never in one batch. */
  readonly keyOf: (item: In) => string
  /** Stores all items or none. Returns an outcome for each, in order. */
  readonly store: (batch: readonly In[]) => Promise<readonly Out[]>
  /** The pace for an average interval between two items. */
  readonly pace: (intervalMs: number) => Pace
  /** Whether the batch of this item begins at once. */
  readonly isUrgent: (item: In) => boolean
  /** Whether one item may be the reason why its batch failed. Then each is stored on its own. */
  readonly isFaultOfOne: (error: unknown) => boolean
  /** A clock that only goes forward. */
  readonly nowMs: () => number
}

export type BatchQueue<In, Out> = {
  /** Resolves with the outcome once the item is stored. */
  readonly add: (item: In) => Promise<Out>
  /** Resolves when all added items are stored or have failed. */
  readonly settled: () => Promise<void>
  /** Items that are not stored yet. */
  readonly waiting: () => number
}

type Waiting<In, Out> = { readonly item: In; readonly resolve: (out: Out) => void; readonly reject: (error: unknown) => void }

/** Stores items in batches, one after the other: the first item at once, later ones together, as the pace says. */
export function batchQueue<In, Out>({ keyOf, store, pace, isUrgent, isFaultOfOne, nowMs }: BatchQueueParts<In, Out>): BatchQueue<In, Out> {
  let waiting: Waiting<In, Out>[] = []
  let timer: { readonly timeout: NodeJS.Timeout; readonly dueAtMs: number } | undefined
  let isSettling = false
  let hasUrgent = false
  let running: Promise<void> | undefined
  /** Items of the running batch. */
  let beingStored = 0
  let begunAtMs = Number.NEGATIVE_INFINITY
  let firstAtMs = Number.NEGATIVE_INFINITY
  let intervalMs = LONGEST_INTERVAL_MS
  let lastMs = Number.NEGATIVE_INFINITY

  function noteArrival(): void {
    const now = nowMs()
    intervalMs += (Math.min(now - lastMs, LONGEST_INTERVAL_MS) - intervalMs) / AVERAGED_ITEMS
    lastMs = now
    if (waiting.length === 0) firstAtMs = now
  }

  function schedule(): void {
    if (running !== undefined || waiting.length === 0) return
    const isHurried = isSettling || waiting.length >= MOST_AT_ONCE || hasUrgent
    const { apartMs, companyMs } = pace(intervalMs)
    const dueAtMs = isHurried ? Number.NEGATIVE_INFINITY : Math.max(begunAtMs + apartMs, firstAtMs + companyMs)
    if (timer !== undefined && timer.dueAtMs <= dueAtMs) return
    clearTimeout(timer?.timeout)
    timer = undefined
    const waitMs = dueAtMs - nowMs()
    if (waitMs > 0) timer = { timeout: setTimeout(begin, waitMs), dueAtMs }
    else {
      // Items that are added in this turn of the event loop join the batch.
      running = new Promise<void>((resolve) => setImmediate(resolve)).then(run)
    }
  }

  function begin(): void {
    timer = undefined
    running = run()
  }

  async function run(): Promise<void> {
    begunAtMs = nowMs()
    const batch = take()
    beingStored = batch.length
    await storeAll(batch)
    beingStored = 0
    running = undefined
    schedule()
  }

  function take(): readonly Waiting<In, Out>[] {
    const batch = new Map<string, Waiting<In, Out>>()
    const later: Waiting<In, Out>[] = []
    for (const one of waiting) {
      if (batch.size >= MOST_AT_ONCE || batch.has(keyOf(one.item))) later.push(one)
      else batch.set(keyOf(one.item), one)
    }
    waiting = later
    hasUrgent = later.some(({ item }) => isUrgent(item))
    return [...batch.values()]
  }

  async function storeAll(batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outcomes = await store(batch.map(({ item }) => item))
      for (const [at, { resolve, reject }] of batch.entries()) {
        if (at in outcomes) resolve(outcomes[at] as Out) // it is there, whatever it is
        else reject(new RangeError(`Cannot tell what came of item ${at}: the store gave ${outcomes.length} outcomes`))
      }
    } catch (error) {
      if (batch.length > 1 && isFaultOfOne(error)) for (const one of batch) await storeAll([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        noteArrival()
        waiting.push({ item, resolve, reject })
        hasUrgent ||= isUrgent(item)
        schedule()
      }),
    waiting: () => waiting.length + beingStored,
    async settled() {
      isSettling = true
      schedule()
      while (running !== undefined) await running
      isSettling = false
    },
  }
}
