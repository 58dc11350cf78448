/**
 * What a question for records answers; undefined where one of them is damaged: a secret that does not open, a text that is no
 * JSON. Whatever else fails is thrown.
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
