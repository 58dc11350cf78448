/** Maximum items of a batch. A longer one would delay all other work. */
const MOST_AT_ONCE = 100

/** The average interval covers about this many items; a longer interval counts as `LONGEST_INTERVAL_MS`. */
const AVERAGED_ITEMS = 50
const LONGEST_INTERVAL_MS = 60_000

/** Earliest start of a batch: `apartMs` after the last one began, and `companyMs` after its own first item arrived. */
export type Pace = { readonly apartMs: number; readonly companyMs: number }

type BatchQueueParts<In, Out> = {
  /** Two items with the same key are never in one batch. */
  readonly keyOf: (item: In) => string
  /** Stores all items or none. Returns one outcome for each, in order. */
  readonly store: (batch: readonly In[]) => Promise<readonly Out[]>
  /** The pace at an average interval between two items. */
  readonly pace: (intervalMs: number) => Pace
  /** True when the batch of this item starts at once. */
  readonly isUrgent: (item: In) => boolean
  /** True when a single item may have caused the error. Each item is then stored on its own. */
  readonly isFaultOfOne: (error: unknown) => boolean
  /** A monotonic clock. */
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

/** Stores items in batches, one batch after the other. The first item is stored at once, later ones together, at the given pace. */
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
        if (at in outcomes) resolve(outcomes[at] as Out) // the store returned an outcome, even if it is `undefined`
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
