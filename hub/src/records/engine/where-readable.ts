/**
 * Runs a query for records. Returns `undefined` if one of them is damaged: a secret that does not decrypt, or invalid JSON. Other errors
 * are thrown.
 */
export async function whereReadable<Answer>(
  ask: () => Promise<Answer>,
  onDamaged: (error: SyntaxError) => void = () => {},
): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    onDamaged(error)
    return undefined
  }
}
