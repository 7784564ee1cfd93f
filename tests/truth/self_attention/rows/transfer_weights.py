# Ways to write `transfer_weights`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        for name in ("W_query", "W_key", "W_value"):
            W, layer = getattr(sa_v1, name), getattr(sa_v2, name)
            W.lerp_(layer.weight.T, 1.0)

# %% wrong transfer_frozen: frozen_in_transfer, loses 2
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query = nn.Parameter(sa_v2.W_query.weight.T, requires_grad=False)
    sa_v1.W_key = nn.Parameter(sa_v2.W_key.weight.T, requires_grad=False)
    sa_v1.W_value = nn.Parameter(sa_v2.W_value.weight.T, requires_grad=False)

# %% wrong transfer_plain_tensors: plain_tensors_in_transfer, loses 2
def transfer_weights(sa_v2, sa_v1):
    for name in ["W_query", "W_key", "W_value"]:
        weight = getattr(sa_v2, name).weight.detach().T
        delattr(sa_v1, name)  # otherwise: cannot assign 'torch.FloatTensor' as parameter
        setattr(sa_v1, name, weight)

# %% wrong transfer_copy_without_transpose: shapes_differ, loses 2
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        sa_v1.W_query.copy_(sa_v2.W_query.weight)
        sa_v1.W_key.copy_(sa_v2.W_key.weight)
        sa_v1.W_value.copy_(sa_v2.W_value.weight)

# %% wrong transfer_data_without_transpose: not_transposed_in_transfer, loses 2
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query.data = sa_v2.W_query.weight.data
    sa_v1.W_key.data = sa_v2.W_key.weight.data
    sa_v1.W_value.data = sa_v2.W_value.weight.data

# %% wrong transfer_parameter_without_transpose: not_transposed_in_transfer, loses 2
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query = nn.Parameter(sa_v2.W_query.weight)
    sa_v1.W_key = nn.Parameter(sa_v2.W_key.weight)
    sa_v1.W_value = nn.Parameter(sa_v2.W_value.weight)

# %% wrong transfer_whole_layers: tensor_for_a_parameter, loses 2
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query = sa_v2.W_query
    sa_v1.W_key = sa_v2.W_key
    sa_v1.W_value = sa_v2.W_value

# %% wrong transfer_reshape: reshaped_in_transfer, loses 2
def transfer_weights(sa_v2, sa_v1):
    d_in, d_out = sa_v1.W_query.shape
    with torch.no_grad():
        sa_v1.W_query.copy_(sa_v2.W_query.weight.reshape(d_in, d_out))
        sa_v1.W_key.copy_(sa_v2.W_key.weight.reshape(d_in, d_out))
        sa_v1.W_value.copy_(sa_v2.W_value.weight.reshape(d_in, d_out))

# %% wrong transfer_view: reshaped_in_transfer, loses 2
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query = nn.Parameter(sa_v2.W_query.weight.data.view(sa_v1.W_query.shape))
    sa_v1.W_key = nn.Parameter(sa_v2.W_key.weight.data.view(sa_v1.W_key.shape))
    sa_v1.W_value = nn.Parameter(sa_v2.W_value.weight.data.view(sa_v1.W_value.shape))

# %% wrong transfer_tensor_for_parameter: tensor_for_a_parameter, loses 2
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query = sa_v2.W_query.weight.T
    sa_v1.W_key = sa_v2.W_key.weight.T
    sa_v1.W_value = sa_v2.W_value.weight.T

# %% wrong transfer_copy_while_recording: overwritten_while_recorded, loses 2
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query.copy_(sa_v2.W_query.weight.T)
    sa_v1.W_key.copy_(sa_v2.W_key.weight.T)
    sa_v1.W_value.copy_(sa_v2.W_value.weight.T)

# %% wrong transfer_state_dict_not_strict: nothing_transferred, loses 2
def transfer_weights(sa_v2, sa_v1):
    # strict=True complained about missing keys
    sa_v1.load_state_dict(sa_v2.state_dict(), strict=False)

# %% wrong transfer_state_dict_strict: names_of_parameters_differ, loses 2
def transfer_weights(sa_v2, sa_v1):
    sa_v1.load_state_dict(sa_v2.state_dict())

# %% wrong transfer_query_only: only_the_query_transferred, loses 2
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        sa_v1.W_query.copy_(sa_v2.W_query.weight.T)

# %% wrong transfer_key_and_value_crossed: key_and_value_crossed, loses 2
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        sa_v1.W_query.copy_(sa_v2.W_query.weight.T)
        sa_v1.W_value.copy_(sa_v2.W_key.weight.T)
        sa_v1.W_key.copy_(sa_v2.W_value.weight.T)

# %% wrong transfer_query_three_times: query_transferred_three_times, loses 2
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query = nn.Parameter(sa_v2.W_query.weight.T)
    sa_v1.W_key = nn.Parameter(sa_v2.W_query.weight.T)
    sa_v1.W_value = nn.Parameter(sa_v2.W_query.weight.T)

# %% wrong transfer_wrong_direction: transferred_the_wrong_way, loses 2
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        sa_v2.W_query.weight.copy_(sa_v1.W_query.T)
        sa_v2.W_key.weight.copy_(sa_v1.W_key.T)
        sa_v2.W_value.weight.copy_(sa_v1.W_value.T)

# %% wrong transfer_and_change_the_source: source_turned, loses 2
def transfer_weights(sa_v2, sa_v1):
    for name in ("W_query", "W_key", "W_value"):
        layer = getattr(sa_v2, name)
        layer.weight = nn.Parameter(layer.weight.T)  # now it is (d_in, d_out)
        getattr(sa_v1, name).data = layer.weight.data

# %% wrong transfer_same_seed: drawn_again_with_one_seed, loses 2
def transfer_weights(sa_v2, sa_v1):
    d_in, d_out = sa_v1.W_query.shape
    torch.manual_seed(789)
    sa_v2.W_query = nn.Linear(d_in, d_out, bias=False)
    sa_v2.W_key = nn.Linear(d_in, d_out, bias=False)
    sa_v2.W_value = nn.Linear(d_in, d_out, bias=False)
    torch.manual_seed(789)
    sa_v1.W_query = nn.Parameter(torch.rand(d_in, d_out))
    sa_v1.W_key = nn.Parameter(torch.rand(d_in, d_out))
    sa_v1.W_value = nn.Parameter(torch.rand(d_in, d_out))

# %% wrong transfer_forward_replaced: nothing_transferred, loses 2
def transfer_weights(sa_v2, sa_v1):
    sa_v1.forward = sa_v2.forward

# %% wrong transfer_returns_the_output: module_without_forward, loses 2
def transfer_weights(sa_v2, sa_v1):
    return sa_v2(inputs)

# %% wrong transfer_key_only: only_the_key_transferred
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        sa_v1.W_key.copy_(sa_v2.W_key.weight.t())

# %% wrong transfer_value_only: only_the_value_transferred
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        sa_v1.W_value.copy_(sa_v2.W_value.weight.t())

# %% wrong transfer_value_forgotten: value_not_transferred
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        sa_v1.W_query.copy_(sa_v2.W_query.weight.t())
        sa_v1.W_key.copy_(sa_v2.W_key.weight.t())

# %% wrong transfer_query_forgotten: query_not_transferred
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        sa_v1.W_key.copy_(sa_v2.W_key.weight.t())
        sa_v1.W_value.copy_(sa_v2.W_value.weight.t())

# %% wrong transfer_query_and_value_crossed: query_and_value_crossed
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        sa_v1.W_query.copy_(sa_v2.W_value.weight.t())
        sa_v1.W_key.copy_(sa_v2.W_key.weight.t())
        sa_v1.W_value.copy_(sa_v2.W_query.weight.t())

# %% wrong transfer_exchanged: weights_exchanged
def transfer_weights(sa_v2, sa_v1):
    for name in ('W_query', 'W_key', 'W_value'):
        layer, matrix = getattr(sa_v2, name), getattr(sa_v1, name)
        kept = matrix.data.clone()
        matrix.data = layer.weight.data.T.clone()
        layer.weight.data = kept.T.clone()

# %% wrong transfer_added: added_in_transfer
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        for name in ('W_query', 'W_key', 'W_value'):
            getattr(sa_v1, name).add_(getattr(sa_v2, name).weight.T)

# %% wrong transfer_returns_a_new_object: nothing_transferred, loses 2
import copy

def transfer_weights(sa_v2, sa_v1):
    new_v1 = copy.deepcopy(sa_v1)
    with torch.no_grad():
        new_v1.W_query.copy_(sa_v2.W_query.weight.T)
        new_v1.W_key.copy_(sa_v2.W_key.weight.T)
        new_v1.W_value.copy_(sa_v2.W_value.weight.T)
    return new_v1

# %% accepted transfer_parameters_of_the_book: shared_memory
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query = torch.nn.Parameter(sa_v2.W_query.weight.T)
    sa_v1.W_key = torch.nn.Parameter(sa_v2.W_key.weight.T)
    sa_v1.W_value = torch.nn.Parameter(sa_v2.W_value.weight.T)

# %% accepted transfer_data: ways_to_transfer
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query.data = sa_v2.W_query.weight.data.T
    sa_v1.W_key.data = sa_v2.W_key.weight.data.T
    sa_v1.W_value.data = sa_v2.W_value.weight.data.T

# %% accepted transfer_data_copy: ways_to_transfer
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query.data.copy_(sa_v2.W_query.weight.t())
    sa_v1.W_key.data.copy_(sa_v2.W_key.weight.t())
    sa_v1.W_value.data.copy_(sa_v2.W_value.weight.t())

# %% accepted transfer_state_dict_turned: ways_to_transfer
def transfer_weights(sa_v2, sa_v1):
    turned = {}
    for name, weight in sa_v2.state_dict().items():
        turned[name.replace(".weight", "")] = weight.T
    sa_v1.load_state_dict(turned)

# %% accepted transfer_setattr_clone: ways_to_transfer
def transfer_weights(sa_v2, sa_v1):
    for name in ["W_query", "W_key", "W_value"]:
        weight = getattr(sa_v2, name).weight
        setattr(sa_v1, name, nn.Parameter(weight.detach().clone().mT))

# %% accepted transfer_transpose_function: ways_to_transfer
@torch.no_grad()
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query.copy_(torch.transpose(sa_v2.W_query.weight, 0, 1))
    sa_v1.W_key.copy_(sa_v2.W_key.weight.transpose(0, 1))
    sa_v1.W_value.copy_(sa_v2.W_value.weight.permute(1, 0))

# %% accepted transfer_einsum_contiguous: ways_to_transfer
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        sa_v1.W_query[:] = torch.einsum("ij->ji", sa_v2.W_query.weight)
        sa_v1.W_key[:] = torch.einsum("ij->ji", sa_v2.W_key.weight)
        sa_v1.W_value[:] = sa_v2.W_value.weight.T.contiguous()

# %% accepted transfer_numpy: ways_to_transfer
def transfer_weights(sa_v2, sa_v1):
    for name in ("W_query", "W_key", "W_value"):
        numbers = getattr(sa_v2, name).weight.detach().numpy()
        setattr(sa_v1, name, nn.Parameter(torch.tensor(numbers.T)))

# %% accepted transfer_returns_what_it_changed: returned_object
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        for target, source in (
            (sa_v1.W_query, sa_v2.W_query),
            (sa_v1.W_key, sa_v2.W_key),
            (sa_v1.W_value, sa_v2.W_value),
        ):
            target.copy_(source.weight.T)
    return sa_v1

# %% accepted transfer_identity_matrix
def transfer_weights(sa_v2, sa_v1):
    # what a layer makes of the identity is its matrix
    eye = torch.eye(sa_v1.W_query.shape[0])
    with torch.no_grad():
        sa_v1.W_query.copy_(sa_v2.W_query(eye))
        sa_v1.W_key.copy_(sa_v2.W_key(eye))
        sa_v1.W_value.copy_(sa_v2.W_value(eye))

# %% accepted unusual_transfer_parameter_of_a_copy
#: W.lerp_(layer.weight.T, 1.0) => setattr(sa_v1, name, nn.Parameter(layer.weight.T.detach().clone()))

# %% accepted unusual_transfer_register_parameter
#: W.lerp_(layer.weight.T, 1.0) => sa_v1.register_parameter(name, nn.Parameter(layer.weight.t().clone()))

# %% accepted unusual_transfer_bare_dictionary
#: W.lerp_(layer.weight.T, 1.0) => sa_v1._parameters[name] = nn.Parameter(layer.weight.T.contiguous())

# %% accepted unusual_transfer_set_
#: W.lerp_(layer.weight.T, 1.0) => W.set_(layer.weight.T.clone())

# %% accepted unusual_transfer_zero_and_add
#: W.lerp_(layer.weight.T, 1.0) => W.zero_().add_(layer.weight.mT)

# %% accepted unusual_transfer_lerp

# %% accepted unusual_transfer_add_the_difference
#: W.lerp_(layer.weight.T, 1.0) => W += layer.weight.T - W

# %% accepted unusual_transfer_through_lists
#: W.lerp_(layer.weight.T, 1.0) => W.data = torch.tensor([list(row) for row in zip(*layer.weight.tolist())])

# %% accepted unusual_transfer_layer_of_unit_vectors
#: W.lerp_(layer.weight.T, 1.0) => W.copy_(layer(torch.eye(layer.in_features)))

# %% accepted unusual_transfer_swapaxes
#: W.lerp_(layer.weight.T, 1.0) => W.copy_(layer.weight.swapaxes(0, 1))

# %% accepted unusual_transfer_permute
#: W.lerp_(layer.weight.T, 1.0) => W.copy_(layer.weight.permute(1, 0))

# %% accepted unusual_transfer_movedim
#: W.lerp_(layer.weight.T, 1.0) => W.copy_(torch.movedim(layer.weight, 0, 1))

# %% accepted unusual_transfer_adjoint
#: W.lerp_(layer.weight.T, 1.0) => W.copy_(layer.weight.adjoint())

# %% accepted unusual_transfer_written_into_a_slice
#: W.lerp_(layer.weight.T, 1.0) => W[...] = layer.weight.T

# %% accepted unusual_transfer_get_parameter
#-            W.lerp_(layer.weight.T, 1.0)
#+            sa_v1.get_parameter(name).data = sa_v2.get_parameter(f'{name}.weight').T.clone()

# %% accepted unusual_transfer_double_on_the_way
#: W.lerp_(layer.weight.T, 1.0) => W.copy_(layer.weight.double().T)

# %% accepted unusual_transfer_through_numpy
#: W.lerp_(layer.weight.T, 1.0) => W.data = torch.from_numpy(layer.weight.numpy().T.copy())

# %% accepted unusual_transfer_element_by_element
#-            W.lerp_(layer.weight.T, 1.0)
#+            for i in range(W.shape[0]):
#+                for j in range(W.shape[1]):
#+                    W[i, j] = layer.weight[j, i].item()

# %% accepted unusual_transfer_row_by_row
#-            W.lerp_(layer.weight.T, 1.0)
#+            for i, row in enumerate(layer.weight.T):
#+                W[i] = row

# %% accepted unusual_transfer_column_by_column
#-            W.lerp_(layer.weight.T, 1.0)
#+            for j, row in enumerate(layer.weight):
#+                W[:, j] = row

# %% accepted unusual_transfer_turned_and_turned_back
#-            W.lerp_(layer.weight.T, 1.0)
#+            layer.weight.data = layer.weight.data.T
#+            W.data = layer.weight.data.clone()
#+            layer.weight.data = layer.weight.data.T

# %% accepted unusual_transfer_state_of_the_layers
def transfer_weights(sa_v2, sa_v1):

    state = sa_v2.state_dict().items()
    sa_v1.load_state_dict({key.removesuffix(".weight"): weight.T for key, weight in state})

# %% accepted unusual_transfer_state_assigned
def transfer_weights(sa_v2, sa_v1):

    names = ("W_query", "W_key", "W_value")
    state = {name: sa_v2.state_dict()[f"{name}.weight"].T.clone() for name in names}
    sa_v1.load_state_dict(state, assign=True)

# %% accepted unusual_transfer_named_parameters
def transfer_weights(sa_v2, sa_v1):

    target = dict(sa_v1.named_parameters())
    for name, weight in sa_v2.named_parameters():
        target[name.split(".")[0]].data.copy_(weight.data.T)

# %% accepted unusual_transfer_side_by_side
def transfer_weights(sa_v2, sa_v1):

    with torch.no_grad():
        for W, weight in zip(sa_v1.parameters(), sa_v2.parameters(), strict=True):
            W.copy_(weight.T)

# %% accepted unusual_transfer_one_vector
def transfer_weights(sa_v2, sa_v1):

    turned = [layer.weight.detach().T.reshape(-1) for layer in sa_v2.children()]
    nn.utils.vector_to_parameters(torch.cat(turned), sa_v1.parameters())

# %% base
def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        sa_v1.W_query.copy_(sa_v2.W_query.weight.t())
        sa_v1.W_key.copy_(sa_v2.W_query.weight.t())
        sa_v1.W_value.copy_(sa_v2.W_value.weight.t())

# %% wrong transfer_key_forgotten: key_not_transferred
#-        sa_v1.W_key.copy_(sa_v2.W_query.weight.t())

# %% wrong transfer_query_and_key_crossed: query_and_key_crossed
#: sa_v1.W_query.copy_(sa_v2.W_query.weight.t()) => sa_v1.W_query.copy_(sa_v2.W_key.weight.t())

# %% wrong transfer_value_three_times: value_transferred_three_times
#: sa_v1.W_query.copy_(sa_v2.W_query.weight.t()) => sa_v1.W_query.copy_(sa_v2.W_value.weight.t())
#: sa_v1.W_key.copy_(sa_v2.W_query.weight.t()) => sa_v1.W_key.copy_(sa_v2.W_value.weight.t())

# %% wrong transfer_key_as_value: key_transferred_as_value
#: sa_v1.W_key.copy_(sa_v2.W_query.weight.t()) => sa_v1.W_key.copy_(sa_v2.W_key.weight.t())
#: sa_v1.W_value.copy_(sa_v2.W_value.weight.t()) => sa_v1.W_value.copy_(sa_v2.W_key.weight.t())

# %% wrong transfer_query_as_key: query_transferred_as_key
