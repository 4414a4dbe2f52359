// expect: SAFE
/* A block compressor in the manner of pbzip2: main cuts the input into blocks, a producer puts them into a queue, consumers
   compress them, and a writer writes them in the input's order. Blocks are run-length encoded. A block is what it is
   from beginning to end: the queue is neither over- nor underfilled, each block is compressed once, and they are written in order. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { BLOCKS = 3, BLOCK_SIZE = 4, PACKED_SIZE = 2 * BLOCK_SIZE, QUEUE_SIZE = 2, CONSUMERS = 1 };

extern unsigned char __VERIFIER_nondet_uchar(void);

/* ---- the input and what becomes of it ---- */

/* Of the input, by block. */
static int input_length[BLOCKS];
static unsigned char input_bytes[BLOCKS][BLOCK_SIZE];

/* Of the output, by block; under output_lock. */
static int output_ready[BLOCKS]; /* compressed, not yet written */
static int output_length[BLOCKS];
static unsigned char output_bytes[BLOCKS][PACKED_SIZE];
static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t output_changed = PTHREAD_COND_INITIALIZER;

/* ---- the queue of blocks to be compressed ---- */

typedef struct Queue {
    int head, tail; /* of the ring */
    int count;
    int full, empty;
    int closed;      /* the producer has no more */
    int next_number; /* of the block to be taken next: they leave in order */
} Queue;

static Queue queue = {.empty = 1};
static int queue_entries[QUEUE_SIZE]; /* numbers of blocks, a ring */
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_not_full = PTHREAD_COND_INITIALIZER, queue_not_empty = PTHREAD_COND_INITIALIZER;

/* What holds whenever nobody is in the middle of an operation. */
static void queue_check(const Queue *q) {
    assert(q->count >= 0);
    assert(q->count <= QUEUE_SIZE);
    assert(q->full == (q->count == QUEUE_SIZE));
    assert(q->empty == (q->count == 0));
}

/* With the lock held, and room. */
static void queue_add(Queue *q, int number) {
    assert(!q->full);
    queue_entries[q->tail] = number;
    q->tail++;
    if (q->tail == QUEUE_SIZE) q->tail = 0;
    q->count++;
    q->empty = 0;
    q->full = q->count == QUEUE_SIZE;
    queue_check(q);
}

/* With the lock held, and an entry. */
static int queue_remove(Queue *q) {
    assert(!q->empty);
    int number = queue_entries[q->head];
    q->head++;
    if (q->head == QUEUE_SIZE) q->head = 0;
    q->count--;
    q->full = 0;
    q->empty = q->count == 0;
    queue_check(q);
    return number;
}

/* Waits for room. */
static void queue_put(Queue *q, int number) {
    pthread_mutex_lock(&queue_lock);
    while (q->full) pthread_cond_wait(&queue_not_full, &queue_lock);
    queue_add(q, number);
    pthread_cond_signal(&queue_not_empty);
    pthread_mutex_unlock(&queue_lock);
}

/* Waits for an entry; -1 when there will be none. */
static int queue_take(Queue *q) {
    int number = -1;
    pthread_mutex_lock(&queue_lock);
    while (q->empty && !q->closed) pthread_cond_wait(&queue_not_empty, &queue_lock);
    if (!q->empty) {
        number = queue_remove(q);
        assert(number == q->next_number);
        q->next_number++;
        pthread_cond_signal(&queue_not_full);
    }
    pthread_mutex_unlock(&queue_lock);
    return number;
}

static void queue_close(Queue *q) {
    pthread_mutex_lock(&queue_lock);
    assert(!q->closed);
    q->closed = 1;
    pthread_cond_broadcast(&queue_not_empty);
    pthread_mutex_unlock(&queue_lock);
}

/* ---- compression ---- */

/* How often the byte at `from` is repeated from there on. */
static int run_length(const unsigned char *bytes, int length, int from) {
    int n = 1;
    while (from + n < length && bytes[from + n] == bytes[from]) n++;
    return n;
}

/* Runs as pairs of a count and a byte: at most twice as long. */
static int compress(const unsigned char *bytes, int length, unsigned char *packed) {
    int used = 0;
    for (int from = 0; from < length;) {
        int n = run_length(bytes, length, from);
        packed[used] = (unsigned char)n;
        packed[used + 1] = bytes[from];
        used += 2;
        from += n;
    }
    return used;
}

/* ---- the threads ---- */

static void *producer(void *unused) {
    (void)unused;
    for (int number = 0; number < BLOCKS; number++) queue_put(&queue, number);
    queue_close(&queue);
    return NULL;
}

/* Hand a compressed block to the writer. */
static void deliver(int number, const unsigned char *packed, int length) {
    pthread_mutex_lock(&output_lock);
    assert(!output_ready[number]);
    for (int i = 0; i < length; i++) output_bytes[number][i] = packed[i];
    output_length[number] = length;
    output_ready[number] = 1;
    pthread_cond_broadcast(&output_changed);
    pthread_mutex_unlock(&output_lock);
}

static void *consumer(void *unused) {
    unsigned char packed[PACKED_SIZE];
    (void)unused;
    for (;;) {
        int number = queue_take(&queue);
        if (number < 0) break;
        assert(number < BLOCKS);
        deliver(number, packed, compress(input_bytes[number], input_length[number], packed));
    }
    return NULL;
}

static int written; /* blocks, by the writer alone */

static void *writer(void *unused) {
    (void)unused;
    for (int number = 0; number < BLOCKS; number++) {
        pthread_mutex_lock(&output_lock);
        while (!output_ready[number]) pthread_cond_wait(&output_changed, &output_lock);
        assert(written == number);
        written++;
        output_ready[number] = 0;
        pthread_mutex_unlock(&output_lock);
    }
    return NULL;
}

/* ---- main ---- */

static void read_input(void) {
    for (int number = 0; number < BLOCKS; number++) {
        input_length[number] = BLOCK_SIZE;
        for (int i = 0; i < BLOCK_SIZE; i++) input_bytes[number][i] = __VERIFIER_nondet_uchar();
    }
}

int main(void) {
    pthread_t producing, consuming[CONSUMERS], writing;
    read_input();
    pthread_create(&producing, NULL, producer, NULL);
    for (int i = 0; i < CONSUMERS; i++) pthread_create(&consuming[i], NULL, consumer, NULL);
    pthread_create(&writing, NULL, writer, NULL);
    pthread_join(producing, NULL);
    for (int i = 0; i < CONSUMERS; i++) pthread_join(consuming[i], NULL);
    pthread_join(writing, NULL);
    assert(queue.closed);
    assert(queue.empty);
    assert(written == BLOCKS);
    return 0;
}
