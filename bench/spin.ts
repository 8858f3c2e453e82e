/** Work that needs a processor and nothing else, for so many milliseconds; prints how much of it was done. */
const end = performance.now() + Number(process.argv[2]);
const kept = new Map<number, unknown>();
let rounds = 0;
for (; performance.now() < end; rounds++)
  for (let i = 0; i < 100; i++)
    kept.set(i, JSON.parse(JSON.stringify({ id: i, text: "x".repeat(i), list: [1, rounds] })));
console.log(rounds);
