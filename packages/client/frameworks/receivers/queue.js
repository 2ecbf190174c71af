// What readers of the guide bring themselves. Says what arrived.
export async function enqueue({ id, type }) {
  console.log(`${type} ${id}`);
}
