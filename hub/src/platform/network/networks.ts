import { BlockList, isIP } from 'node:net'

/** Set of IP networks. `includes` returns true for an address in one of them. */
export type Networks = { readonly includes: (address: string) => boolean }

/** Parses IP addresses and networks (`10.0.0.0/8`, `fd00::/8`) to a set of networks. Throws a `RangeError` for a text that is neither. */
export function networksOf(networks: readonly string[]): Networks {
  const list = new BlockList()
  for (const network of networks) addNetwork(list, network)
  return {
    includes(address) {
      const version = isIP(address)
      return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

export function isNetwork(text: string): boolean {
  try {
    networksOf([text])
    return true
  } catch {
    return false
  }
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', length, ...rest] = network.split('/')
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  const prefix = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : -1
  if (version === 0 || rest.length > 0 || prefix < 0 || prefix > most) {
    throw new RangeError(`"${network}" is not an address or a network such as 10.0.0.0/8`)
  }
  list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6')
}
