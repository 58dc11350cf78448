import type { JobOutcome } from './job.ts'

const LONGEST_FAILURE = 300

/** Does it, and says what came of it; never rejects. */
export async function attempt(run: () => Promise<JobOutcome>): Promise<JobOutcome & { readonly failure?: string }> {
  try {
    return await run()
  } catch (error) {
    return { failure: (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_FAILURE) }
  }
}
